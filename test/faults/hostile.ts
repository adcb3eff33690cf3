import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { turn } from '../support/daemon.ts'

const GIGABYTE = 1024 ** 3

/** Entries that no hook has written; gives what must be closed afterwards. */
export async function layOdd(spool: string, canary: string): Promise<Server> {
  const at = (name: string | Buffer) =>
    typeof name === 'string' ? join(spool, name) : Buffer.concat([Buffer.from(`${spool}/`), name])
  symlinkSync('/etc/passwd', at('hook.900001'))
  symlinkSync(canary, at('hook.900002'))
  symlinkSync('hook.900003', at('hook.900003'))
  symlinkSync('/nowhere/at/all', at('hook.900004'))
  symlinkSync('..', at('statusline.900005'))
  symlinkSync('/dev/zero', at('hook.900006'))
  mkdirSync(at('hook.900007'))
  writeFileSync(at('hook.900007/hook.1'), whole(turn('inner', 'inner')))
  spawnSync('mkfifo', [join(spool, 'hook.900008')])
  const server = createServer().listen(at('hook.900009'))
  for (const [name, end] of [
    ['hook.900010', ''],
    ['hook.900011', '\n.\n'],
  ] as const)
    sparse(join(spool, name), end)
  writeFileSync(at('hook.900012'), whole(turn('hidden', 'hidden')))
  chmodSync(at('hook.900012'), 0)
  for (const name of ODD_NAMES) writeFileSync(at(name), whole(turn('odd', 'odd')))
  return server
}

const ODD_NAMES = [
  `hook.${'1'.repeat(250)}`,
  'hook.1\nvigil 1\n',
  'hook.-1',
  'hook.1;touch x',
  '.hook.1',
  '…',
  'hook.1.1.1',
  Buffer.from([0x68, 0xff, 0xfe, 0x2e, 0x31]),
]

function sparse(path: string, end: string): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, GIGABYTE)
  writeSync(file, end, GIGABYTE)
  closeSync(file)
}

export function whole(payload: unknown, head = ''): string {
  return `vigil 1\n${head}\n${JSON.stringify(payload)}\n.\n`
}

/** Ids that are names of files, of nothing, or of everything. */
export const TRICKS = [
  '../../x',
  '/etc/passwd',
  '..',
  '.',
  '',
  ' ',
  'a\u0000b',
  'a\nb',
  'x'.repeat(10_000),
  '👩‍💻🔥',
  '\ud800',
  '%2e%2e%2f',
  '__proto__',
  'constructor',
  'C:\\x',
  "'; DROP TABLE reports; --",
  '\u001b[2J\u001b]0;owned\u0007',
]

const GOOD = JSON.stringify(turn('torn', 'torn'))

/** A value where another was expected, in every field that is read. */
const wrongTypes = fc
  .record(
    {
      session_id: fc.jsonValue(),
      hook_event_name: fc.oneof(fc.jsonValue(), fc.constantFrom('Stop', 'PreToolUse', 'toString')),
      cwd: fc.jsonValue(),
      transcript_path: fc.jsonValue(),
      tool_name: fc.jsonValue(),
      tool_input: fc.jsonValue(),
      tool_use_id: fc.jsonValue(),
      prompt: fc.jsonValue(),
      message: fc.jsonValue(),
      source: fc.jsonValue(),
      reason: fc.jsonValue(),
      agent_id: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((payload) => whole(payload))

const poisoned = fc
  .tuple(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString'), fc.json())
  .map(([key, json]) => `vigil 1\n\n{"session_id":"p","${key}":${json},"env":{"${key}":1}}\n.\n`)

const nested = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"":'), fc.integer({ min: 10, max: 20_000 }))
  .map(([open, depth]) => `vigil 1\n\n{"session_id":"n","tool_input":${open.repeat(depth)}\n.\n`)

const torn = fc
  .integer({ min: 0, max: GOOD.length - 1 })
  .map((length) => `vigil 1\n\n${GOOD.slice(0, length)}\n.\n`)

const surrogates = fc
  .constantFrom('\\ud800', '\\udfff', '\\ud800x', '\\udc00\\ud800', '\\u0000')
  .map(
    (text) =>
      `vigil 1\n\n{"session_id":"${text}","hook_event_name":"${text}","cwd":"${text}"}\n.\n`,
  )

const heads = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 200 }), fc.json())
  .map(([head, json]) => `vigil 1\n${head}\n${json}\n.\n`)

const bytes = fc
  .tuple(fc.uint8Array({ maxLength: 4_000 }), fc.constantFrom('', 'vigil 1\n\n'), fc.boolean())
  .map(([raw, start, ends]) =>
    Buffer.concat([Buffer.from(start), raw, Buffer.from(ends ? '\n.\n' : '')]),
  )

/** What a broken or hostile writer could leave; the same each time, but for `VIGIL_SEED`. */
export function malformed(count: number): (string | Buffer)[] {
  const any = fc.oneof(wrongTypes, poisoned, nested, torn, surrogates, heads, bytes)
  return fc.sample<string | Buffer>(any, count)
}
