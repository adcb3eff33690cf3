import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SignedIn } from '../../protocol/browser.ts'
import { Browsers } from './browsers.ts'

const DAY_MS = 24 * 3_600_000
const HERE = 'http://here.localhost:4711'
let folder = ''
let file = ''
let clock = { now: 0 }
const said: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-browsers-'))
  file = join(folder, 'browsers.json')
  clock = { now: 1_800_000_000_000 }
  said.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (path = file) =>
  new Browsers({
    file: path,
    now: () => clock.now,
    complain: (what, about) => said.push(`${what} ${JSON.stringify(about)}`),
  })
const signIn = (browsers: Browsers) =>
  browsers.signIn(browsers.code(HERE).code, '', { origin: HERE }) as SignedIn

describe('a browser that signed in', () => {
  it('[DR6] is known by its key, of which only the hash is kept, in a file for its user', () => {
    const browsers = open()
    const { key, id, name } = signIn(browsers)
    expect(key).toMatch(/^b[0-9a-f]{64}$/)
    expect(browsers.byKey(key, HERE)).toMatchObject({ id, name })
    expect(browsers.byKey(`b${'0'.repeat(64)}`, HERE)).toBeUndefined()
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(key.slice(1))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.stringify(browsers.list())).not.toMatch(/[0-9a-f]{32}/)
    expect(signIn(browsers).key).not.toBe(key)
  })

  it('[DR6] is known to the next daemon, with when it was last used', () => {
    const first = open()
    const { key } = signIn(first)
    clock.now += 5_000
    first.seen(first.byKey(key, HERE)?.id ?? '')
    first.close()
    expect(open().byKey(key, HERE)).toMatchObject({ seenAt: clock.now, madeAt: clock.now - 5_000 })
  })

  it('[DR6] ends after 30 days without use, and not before', () => {
    const browsers = open()
    const [used, unused] = [signIn(browsers), signIn(browsers)]
    clock.now += 30 * DAY_MS - 1
    browsers.seen(used.id)
    expect(browsers.byKey(unused.key, HERE)).toBeDefined()
    clock.now += 1
    expect(browsers.byKey(unused.key, HERE)).toBeUndefined()
    expect(browsers.byKey(used.key, HERE)).toBeDefined()
    expect(browsers.list().map(({ id }) => id)).toEqual([used.id])
    browsers.close()
    expect(open().byKey(unused.key, HERE)).toBeUndefined()
  })

  it('[DR6] is one of fifty: of more the one not used for longest goes', () => {
    const browsers = open()
    const first = signIn(browsers)
    clock.now += 1
    const second = signIn(browsers)
    clock.now += 1
    browsers.seen(first.id)
    for (let more = 0; more < 49; more++) signIn(browsers)
    expect(browsers.list()).toHaveLength(50)
    expect(browsers.byKey(second.key, HERE)).toBeUndefined()
    expect(browsers.byKey(first.key, HERE)).toBeDefined()
  })

  it('[DR9] is forgotten at once, for good, and listeners are notified', () => {
    const browsers = open()
    const gone: string[] = []
    browsers.onGone((id) => gone.push(id))
    const { id, key } = signIn(browsers)
    expect(browsers.forget(id)).toBe(true)
    expect(browsers.forget(id)).toBe(false)
    expect(gone).toEqual([id])
    expect(browsers.byKey(key, HERE)).toBeUndefined()
    expect(open().byKey(key, HERE)).toBeUndefined()
  })

  it('[DR9] that cannot be written out of the file takes the file with it', () => {
    const browsers = open()
    const [first, second] = [signIn(browsers), signIn(browsers)]
    mkdirSync(`${file}.${process.pid}`)
    writeFileSync(join(`${file}.${process.pid}`, 'in-the-way'), '')
    browsers.forget(first.id)
    expect(said.join()).toMatch(/could not be written/)
    expect(existsSync(file)).toBe(false)
    expect(browsers.byKey(second.key, HERE)).toBeDefined()
  })
})

describe('an address', () => {
  const THERE = 'https://there.example'
  const both = (browsers: Browsers) => {
    const shared = browsers.signIn(browsers.code(THERE).code, '', { origin: THERE }) as SignedIn
    return { own: signIn(browsers), shared }
  }

  it('[OC6] is a key’s own: under another one it is none', () => {
    const browsers = open()
    const { own, shared } = both(browsers)
    expect(browsers.byKey(own.key, HERE)).toBeDefined()
    expect(browsers.byKey(shared.key, THERE)).toBeDefined()
    expect(browsers.byKey(own.key, THERE)).toBeUndefined()
    expect(browsers.byKey(shared.key, HERE)).toBeUndefined()
  })

  it('[OC2] that other sockets are behind takes its keys with it, and no shared one’s', () => {
    const first = open()
    first.holdOn({ origin: HERE, sockets: 'a' })
    const { own, shared } = both(first)
    const same = open()
    same.holdOn({ origin: HERE, sockets: 'a' })
    expect(same.byKey(own.key, HERE)).toBeDefined()
    const other = open()
    // On macOS a new hold may have the same address.
    other.holdOn({ origin: HERE, sockets: 'b' })
    expect(other.byKey(own.key, HERE)).toBeUndefined()
    expect(other.byKey(shared.key, THERE)).toBeDefined()
    expect(said.join()).toMatch(/have to sign in again.*was free for a moment/)
    expect(
      open()
        .list()
        .map(({ id }) => id),
    ).toEqual([shared.id])
  })
})

describe('a code', () => {
  it('[DR5] that is used twice costs the browser it signed in', () => {
    const browsers = open()
    const { code } = browsers.code(HERE)
    const first = browsers.signIn(code, '', { origin: HERE }) as SignedIn
    expect(browsers.byKey(first.key, HERE)).toBeDefined()
    expect(browsers.signIn(code, '', { origin: HERE })).toBeUndefined()
    expect(browsers.byKey(first.key, HERE)).toBeUndefined()
    expect(said.join()).toMatch(/used twice/)
    expect(said.join()).not.toContain(code)
  })

  it('[DR5] ends with the daemon', () => {
    const { code } = open().code(HERE)
    expect(open().signIn(code, '', { origin: HERE })).toBeUndefined()
  })
})

describe('a file that is not as expected', () => {
  const kept = () => {
    const { key } = signIn(open())
    return { key, text: readFileSync(file, 'utf8') }
  }

  it.each([
    ['cut off', (text: string) => text.slice(0, -5)],
    ['of something else', () => '[]'],
    ['with a hash that is none', (text: string) => text.replace(/"hash": "../, '"hash": "zz')],
  ])('[DR6] %s signs no browser in, and is reported', (_name, change) => {
    const { key, text } = kept()
    writeFileSync(file, change(text))
    expect(open().byKey(key, HERE)).toBeUndefined()
    expect(said.join()).toMatch(/no browser is signed in/)
  })

  it('[DR6] that is a link is not followed', () => {
    const { key, text } = kept()
    rmSync(file)
    writeFileSync(join(folder, 'elsewhere'), text)
    symlinkSync(join(folder, 'elsewhere'), file)
    expect(open().byKey(key, HERE)).toBeUndefined()
  })

  it('[DR6] that others can write is not believed', () => {
    const { key } = kept()
    chmodSync(file, 0o666)
    expect(open().byKey(key, HERE)).toBeUndefined()
    expect(said.join()).toMatch(/others/)
  })
})
