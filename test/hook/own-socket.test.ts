import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { assertOwnSocket } from '../../src/home/own-socket.ts'
import { itUnless, NOT_ROOT } from '../support/needs.ts'
import { noSecondUser, SecondUser } from '../support/second-user.ts'

const ANSWER = fileURLToPath(new URL('../../bin/answer.js', import.meta.url))
const OWN_SOCKET = new URL('../../src/home/own-socket.ts', import.meta.url).href
const OTHER = 12_345

/** Of a user alone, as systemd makes one for a unit: every other owner is shown as 65534. */
const NAMESPACE = ['--user', '--map-current-user']
const noNamespace =
  noSecondUser ??
  (spawnSync('unshare', [...NAMESPACE, 'true']).status === 0
    ? undefined
    : 'no user namespace can be made')

let root: string
let server: Server
let heard: string
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'vigil-own-'))
  mkdirSync(join(root, 'above', 'run'), { recursive: true, mode: 0o700 })
  writeFileSync(at('token'), 'the-token\n')
  heard = ''
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      heard += chunk
      socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(at('above/run/vigil.sock'), resolve))
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(root, { recursive: true, force: true })
})

const at = (path: string) => join(root, path)

/** What lies where, and what is said of it; nothing where it is safe. */
const CASES: readonly (readonly [string, () => void, RegExp | undefined])[] = [
  ['as the daemon makes it', () => {}, undefined],
  [
    'a folder that others enter',
    () => chmodSync(at('above/run'), 0o750),
    /can enter it \(mode 750/,
  ],
  ['a link to a folder', () => moved('above/run'), /is a link, expected a folder/],
  [
    'a file',
    () => {
      renameSync(at('above/run/vigil.sock'), at('held'))
      writeFileSync(at('above/run/vigil.sock'), '')
    },
    /expected a socket/,
  ],
  ['a folder above that others change', () => chmodSync(at('above'), 0o777), /can replace .*777/],
  ['one like /tmp above', () => chmodSync(at('above'), 0o1777), undefined],
  ['a link of one’s own above', () => moved('above'), undefined],
]

/** Needs root to be put there. */
const FOREIGN: typeof CASES = [
  ['another’s folder', () => chownSync(at('above/run'), OTHER, OTHER), /belongs to user 12345/],
  ['another’s socket', () => chownSync(at('above/run/vigil.sock'), OTHER, 0), /to user 12345/],
  ['another’s folder above', () => chownSync(at('above'), OTHER, OTHER), /belongs to user 12345/],
  [
    'another’s link above',
    () => {
      moved('above')
      lchownSync(at('above'), OTHER, OTHER)
    },
    /belongs to user 12345/,
  ],
  [
    'a folder above of a group',
    () => {
      chownSync(at('above'), 0, OTHER)
      chmodSync(at('above'), 0o770)
    },
    /can replace its files/,
  ],
  ['a folder above of the user “nobody”', () => chownSync(at('above'), 65_534, 0), /user 65534/],
]

describe('a socket', () => {
  it.each([...CASES, ...(process.getuid?.() === 0 ? FOREIGN : [])])(
    '[CT5] is sent the token only if no other user can listen there: %s',
    async (_, put, why) => {
      put()
      const socket = at('above/run/vigil.sock')
      if (why) expect(() => assertOwnSocket(socket)).toThrow(why)
      else expect(() => assertOwnSocket(socket)).not.toThrow()
      await hookAsks(socket)
      if (why) expect(heard).toBe('')
      else expect(heard).toContain('Bearer the-token')
    },
  )

  itUnless(NOT_ROOT)(
    '[CT5] is sent nothing where the group of its user, and others with it, can replace a folder',
    async () => {
      chownSync(at('above'), 0, OTHER)
      chmodSync(at('above'), 0o770)
      const group = vi.spyOn(process, 'getgid').mockReturnValue(OTHER)
      expect(() => assertOwnSocket(at('above/run/vigil.sock'))).toThrow(/can replace its files/)
      group.mockRestore()
      await hookAsks(at('above/run/vigil.sock'), OTHER)
      expect(heard).toBe('')
      chownSync(at('above'), 0, 0)
      await hookAsks(at('above/run/vigil.sock'))
      expect(heard).toContain('Bearer the-token')
    },
  )

  itUnless(noNamespace)(
    '[CT5] root’s folders above count also where root has no number',
    async () => {
      const user = new SecondUser()
      try {
        chmodSync(root, 0o755)
        chmodSync(at('above'), 0o755)
        const socket = at('above/run/vigil.sock')
        for (const path of [at('above/run'), socket]) chownSync(path, user.uid, user.gid)
        const inNamespace = (...args: string[]) =>
          new Promise<number>((resolve) => {
            const child = user.start('unshare', [...NAMESPACE, process.execPath, ...args])
            child.stdin.end()
            child.once('exit', (code) => resolve(code ?? -1))
          })
        await inNamespace(ANSWER, socket, at('token'), 'report')
        expect(heard).toContain('Bearer the-token')
        const check = `(await import('${OWN_SOCKET}')).assertOwnSocket('${socket}')`
        expect(await inNamespace('--input-type=module', '-e', check)).toBe(0)
      } finally {
        user.remove()
      }
    },
  )

  it('[CT5] that is not there is none of another user’s', () => {
    expect(() => assertOwnSocket(at('above/run/none.sock'))).toThrow(/ENOENT/)
    expect(() => assertOwnSocket(at('none/vigil.sock'))).toThrow(/ENOENT/)
  })
})

function moved(path: string): void {
  renameSync(at(path), at('moved'))
  symlinkSync(at('moved'), at(path))
}

/** As the installed hook does, until it gives up or a daemon has answered. */
function hookAsks(socket: string, gid?: number): Promise<void> {
  const child = spawn(process.execPath, [ANSWER, socket, at('token'), 'report'], {
    stdio: 'ignore',
    ...(gid !== undefined && { gid }),
  })
  return new Promise((resolve) => child.once('exit', () => resolve()))
}
