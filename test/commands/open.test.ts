import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encode } from 'uqr'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/home/settings.ts'
import { qrLines } from '../../src/surfaces/cli/qr.ts'
import { askPage, signInAt } from '../support/ask-page.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, turn, until } from '../support/daemon.ts'
import { programFolder } from '../support/program-folder.ts'
import { startEngine, vigilIn } from './support.ts'

interface Told {
  readonly findings: readonly { about: string; what: string; level: string; todo?: string }[]
}

/** A real daemon, its real page and the real commands. */
const home = new DaemonHome()
const bin = programFolder()
const asked = join(home.path, 'asked')
const PERSON = {
  CLAUDECODE: undefined,
  CLAUDE_CODE_SESSION_ID: undefined,
  SSH_CONNECTION: undefined,
}
const HEADLESS = { ...PERSON, DISPLAY: undefined, WAYLAND_DISPLAY: undefined }
const env = { ...HEADLESS, WSL_DISTRO_NAME: undefined, PATH: `${bin}:${process.env.PATH}` }
const vigil = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  vigilIn(home.path, args, { env: { ...env, ...more } })

beforeAll(async () => {
  await builtPage()
  await home.start()
})
afterAll(async () => {
  rmSync(bin, { recursive: true })
  await home.end()
})
beforeEach(() => opener('exit 0'))

/** Stands in for the desktop's own: it notes what it was to open. */
function opener(ends: string): void {
  const path = join(bin, 'xdg-open')
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" >'${asked}'\n${ends}\n`)
  chmodSync(path, 0o755)
}

async function port(): Promise<number> {
  return Number(new URL((await home.client.health()).address ?? '').port)
}

const signIn = (address: string, userAgent = '') => signInAt(address, { 'user-agent': userAgent })

async function statusOf(key: string): Promise<number> {
  const { address } = await home.client.health()
  const headers = { authorization: `Bearer ${key}` }
  return (await askPage(address ?? '', { path: '/v1/sessions', headers })).status
}

describe('vigil open', () => {
  it('[DR12] prints an address whose fragment signs a browser in, once', async () => {
    const { stdout, status } = await vigil(['open', '--print'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^http:\/\/v[0-9a-f]{32}\.localhost:\d+\/#code=[0-9a-f]{32}\n$/)
    const answer = await signIn(stdout.trim(), 'Firefox/140.0 Linux')
    expect(answer.status).toBe(200)
    expect(await statusOf(answer.json.key)).toBe(200)
    expect((await vigil(['open', '--list'])).stdout).toMatch(/^Firefox on Linux {2}used .* ago/)
    const listed = JSON.parse((await vigil(['open', '--list', '--json'])).stdout)
    expect(listed).toMatchObject([{ name: 'Firefox on Linux' }])
    for (const secret of [codeIn(stdout), answer.json.key as string])
      expect(home.log()).not.toContain(secret)
  })

  it('[CM26] --json prints the address for programs, and opens nothing', async () => {
    rmSync(asked, { force: true })
    const { stdout, status } = await vigil(['open', '--json'], { DISPLAY: ':9' })
    expect([status, existsSync(asked)]).toEqual([0, false])
    const { address, signIn: signed, endsAt } = JSON.parse(stdout)
    expect(signed.startsWith(`${address}/#code=`)).toBe(true)
    expect(endsAt).toBeGreaterThan(Date.now())
    expect((await signIn(signed)).status).toBe(200)
  })

  it('[DR6] what signed in outlives the daemon', async () => {
    const address = (await vigil(['open', '--print'])).stdout.trim()
    const { key } = (await signIn(address)).json
    await vigil(['stop'])
    await vigil(['status'])
    expect(await statusOf(key)).toBe(200)
  })

  it('[DR12] signs browsers out by name, or all', async () => {
    for (const { id } of (await home.client.browsers()).browsers)
      await home.client.forgetBrowser(id)
    for (const userAgent of ['Firefox/1 Linux', 'Safari/1 iPhone', 'Safari/1 iPhone'])
      await signIn((await vigil(['open', '--print'])).stdout.trim(), userAgent)
    const names = async () => (await home.client.browsers()).browsers.map(({ name }) => name)
    expect((await vigil(['open', '--forget'])).stderr).toMatch(/Name one of .*or all/)
    expect((await vigil(['open', '--forget', 'nobody'])).status).toBe(2)
    const { stdout } = await vigil(['open', '--forget', 'safari on iphone'])
    expect(stdout).toBe('Safari on iPhone: signed out\n')
    expect((await names()).toSorted()).toEqual(['Firefox on Linux', 'Safari on iPhone 2'])
    await vigil(['open', '--forget', 'all'])
    expect(await names()).toEqual([])
    expect((await vigil(['open', '--list'])).stdout).toMatch(/no browser is signed in/)
  })

  it('[OC7] gives the desktop a file with the code, or prints the address', async () => {
    const opened = await vigil(['open'], { DISPLAY: ':9' })
    expect(opened.stdout).toMatch(
      /^opened http:\/\/v[0-9a-f]{32}\.localhost:\d+ in your browser\n$/,
    )
    const file = readFileSync(asked, 'utf8').trim().replace('file://', '')
    expect(file).toMatch(/^\/.*\/run\/open-[0-9a-f]{8}\.html$/)
    const { mode } = statSync(file)
    const [, address = ''] = /<a href="(.*)">/.exec(readFileSync(file, 'utf8')) ?? []
    expect([mode & 0o777, address]).toEqual([0o600, expect.stringMatching(/#code=[0-9a-f]{32}$/)])
    expect((await signIn(address)).status).toBe(200)
    expect(existsSync(file)).toBe(false)
    opener('exit 3')
    expect((await vigil(['open'], { DISPLAY: ':9' })).stdout).toMatch(/#code=[0-9a-f]{32}/)
    opener(': >"$0.was-run"')
    expect((await vigil(['open'])).stdout).toMatch(/found no browser.*#code=/s)
    expect(() => readFileSync(join(bin, 'xdg-open.was-run'))).toThrow()
  })
})

it('[DR16] a daemon started beside the holder has every browser sign in again', async () => {
  const { code, address } = await home.client.browserCode()
  expect((await signIn(`${address}/#code=${code}`)).status).toBe(200)
  await vigil(['stop'])
  const daemon = home.spawn(['daemon', '--quiet', '--port', '0'])
  await until('it answers', () => home.announced()?.pid === daemon.pid)
  expect((await home.client.health()).address).not.toBe(address)
  expect((await home.client.browsers()).browsers).toEqual([])
  expect(home.log()).toContain('have to sign in again')
})

it('[DR14] gives an agent’s own shell no way in', async () => {
  for (const args of [['open'], ['open', '--print'], ['share', 'add', 'https://x.example']]) {
    const { status, stdout, stderr } = await vigil(args, { CLAUDECODE: '1' })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/inside an agent: only the user/)
  }
  expect(readSettings(home.folders).share.origins).toEqual([])
})

it('[DR14] knows an agent by its process, too', async () => {
  // The process that runs the tests is the parent of the command: let it be an agent.
  home.write(turn('agent', 1), { claudePid: process.pid })
  await home.taken()
  const isKnown = async () =>
    (await home.client.sessions()).sessions.some(({ pid }) => pid === process.pid)
  await until('the agent is known', isKnown)
  const { status, stderr } = await vigil(['open', '--print'])
  expect([status, stderr]).toEqual([2, expect.stringMatching(/inside an agent \(engine\)/)])
  home.write(turn('agent', 2, 'SessionEnd'), { claudePid: process.pid })
  await home.taken()
  await until('it is over', async () => (await home.states()).join().includes('closed'))
})

it('[DR12] says how to build a page that is not built', async () => {
  const engine = await startEngine()
  const { status, stderr } = await vigilIn(engine.home, ['open'], { env })
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm run page')])
  await engine.close()
})

describe('vigil share', () => {
  const PHONE = 'https://thinkpad.tail1234.ts.net'
  const hostOf = (origin: string) => new URL(origin).host
  const asks = async (host: string) => {
    const { request } = process.getBuiltinModule('node:http')
    const at = { socketPath: home.folders.pageSocket, path: '/', headers: { host }, agent: false }
    return new Promise<number>((resolve, reject) => {
      const sent = request(at, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      sent.on('error', reject).end()
    })
  }

  /** Subscribes under a name, and tells when that is over. */
  const reading = async (host: string, authorization: string, tell: (isOver: boolean) => void) => {
    const { request } = process.getBuiltinModule('node:http')
    const headers = { host, authorization }
    const { pageSocket: socketPath } = home.folders
    const at = { socketPath, path: '/v1/events', headers, agent: false }
    await new Promise<void>((resolve, reject) => {
      const sent = request(at, (answer) => {
        tell(false)
        answer.once('data', () => resolve()).on('error', () => {})
        answer.once('close', () => tell(true))
      })
      sent.on('error', reject).end()
    })
  }

  it('[DR13] says what to do by SSH, Tailscale and a proxy, with the very socket', async () => {
    const { stdout } = await vigil(['share'])
    const socket = home.folders.pageSocket
    const forwarded = `${await port()}:${dirname(socket)}/$n`
    expect(stdout).toContain('n=$(date +%s) && ssh -t -o ExitOnForwardFailure=yes \\\n')
    expect(stdout).toContain(`-L "127.0.0.1:${forwarded}" -L "[::1]:${forwarded}"`)
    expect(stdout).toMatch(/ VIGIL_HOME=\S+ \S+node \S+vigil\.js share ssh \$n \d+$/m)
    expect(stdout).toContain(`tailscale serve --bg unix:${socket}`)
    expect(stdout).toContain(`reverse_proxy unix/${socket}`)
    expect(stdout).toContain(`proxy_pass http://unix:${socket};`)
    expect(stdout).toContain('No other address is allowed yet.')
    expect(stdout).not.toContain('#code=')
  })

  it('[DR11] what is added is let in at once, and what is removed is not', async () => {
    const isLetIn = async () => (await asks(hostOf(PHONE))) !== 403
    expect(await isLetIn()).toBe(false)
    expect((await vigil(['share', 'add', `${PHONE}/`])).stdout).toContain(`${PHONE}: allowed`)
    await until('it is let in', isLetIn)
    expect((await vigil(['share', 'list'])).stdout).toBe(`${PHONE}\n`)
    expect(JSON.parse((await vigil(['share', 'list', '--json'])).stdout)).toEqual([PHONE])
    expect((await vigil(['share', 'remove', 'https://other.example'])).status).toBe(2)
    await vigil(['share', 'remove', PHONE])
    await until('it is refused', async () => !(await isLetIn()))
  })

  it('[DR9] a browser that is connected by a removed address is cut off', async () => {
    await vigil(['share', 'add', PHONE])
    await until('it is let in', async () => (await asks(hostOf(PHONE))) !== 403)
    const ends = new Map<string, boolean>()
    const TABLET = 'https://tablet.example.org'
    await vigil(['share', 'add', TABLET])
    await until('it is let in', async () => (await asks(hostOf(TABLET))) !== 403)
    for (const origin of [PHONE, TABLET]) {
      const { code } = await home.client.browserCode({ origin })
      const signedIn = await signInAt(`${origin}/#code=${code}`, {}, home.folders.pageSocket)
      const host = hostOf(origin)
      const authorization = `Bearer ${signedIn.json.key}`
      await reading(host, authorization, (isOver) => ends.set(host, isOver))
    }
    await vigil(['share', 'remove', PHONE])
    await until('it is cut off', () => ends.get(hostOf(PHONE)))
    expect([...ends.values()]).toEqual([true, false])
    await vigil(['share', 'remove', 'all'])
  })

  it('[DR15] the doctor says where the page is, and which browsers are signed in', async () => {
    const told = JSON.parse((await vigil(['doctor', '--json'])).stdout) as Told
    const page = told.findings.find(({ about }) => about === 'page')
    expect(page?.what).toMatch(/^at http:\/\/v[0-9a-f]{32}\.localhost:\d+; \d+ browsers? ha/)
    await vigil(['share', 'add', PHONE])
    await until('it is let in', async () => (await asks(hostOf(PHONE))) !== 403)
    const shared = JSON.parse((await vigil(['doctor', '--json'])).stdout) as Told
    const beside = shared.findings.find(({ about }) => about === 'page')
    expect(beside?.what).toContain(`, and ${PHONE}; `)
    await vigil(['share', 'remove', 'all'])
  })

  it('[DR11] refuses what is no exact address, and changes nothing', async () => {
    for (const wrong of [
      'http://localhost:8080',
      'http://vigil.example.org',
      'https://*.example.org',
      'vigil',
    ])
      expect((await vigil(['share', 'add', wrong])).status).toBe(2)
    expect(readSettings(home.folders).share.origins).toEqual([])
  })

  it('[DR13] shows a picture of the address with a code', async () => {
    expect((await vigil(['share', 'qr'])).stderr).toMatch(/`vigil share` explains/)
    await vigil(['share', 'add', PHONE])
    await until('it is let in', async () => (await asks(hostOf(PHONE))) !== 403)
    const { stdout } = await vigil(['share', 'qr'])
    const address = /^https:\S+#code=[0-9a-f]{32}$/m.exec(stdout)?.[0] ?? ''
    expect(address.startsWith(`${PHONE}/#code=`)).toBe(true)
    expect(stdout).toContain(qrLines(address, { colours: false }).join('\n'))
    const local = address.replace(PHONE, (await home.client.health()).address ?? '')
    expect((await signIn(local)).status).toBe(403)
    expect((await signInAt(address, {}, home.folders.pageSocket)).status).toBe(200)
    await vigil(['share', 'remove', 'all'])
  })

  it.each([true, false])('[DR13] the picture is what a camera expects (colours: %s)', (colours) => {
    const text = 'https://thinkpad.tail1234.ts.net/#code=0123456789abcdef0123456789abcdef'
    const { data } = encode(text, { ecc: 'L', border: 4 })
    const lines = qrLines(text, { colours }).map((line) => line.replaceAll(/[^█▀▄ ]/g, ''))
    const rows = lines.flatMap((line) => [
      [...line].map((cell) => '█▀'.includes(cell) === colours),
      [...line].map((cell) => '█▄'.includes(cell) === colours),
    ])
    expect(rows.slice(0, data.length)).toEqual(data)
  })
})

function codeIn(printed: string): string {
  return /#code=([0-9a-f]{32})/.exec(printed)?.[1] ?? printed
}
