import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { renderHook, renderTemplate } from '../../src/install/scripts.ts'
import { IS_VERIFY } from '../support/is-verify.ts'

/** The shells that /bin/sh may be: two of them in `npm test`, the others in `npm run verify`. */
const SHELLS = IS_VERIFY ? ['bash --posix', 'busybox sh'] : ['dash', 'bash']

/** Those of them that are installed. */
export const shells = SHELLS.filter((shell) => {
  try {
    execFileSync(shell.split(' ')[0] ?? '', ['-c', ':'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // BusyBox knows no `-c`, and says so by its exit code.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
})

export const hasProc = existsSync('/proc/self/stat')

export interface Stage {
  readonly folder: string
  readonly spool: string
  readonly run: string
  readonly hook: string
  readonly statusline: string
  /** Marks every process that a script on this stage starts. */
  readonly mark: string
}

interface StageOptions {
  readonly spool?: string
  readonly command?: string
  readonly starter?: string
  /** What stands for Node, to start the daemon and to ask it. */
  readonly node?: string
}

/** A folder with both scripts, whose start command notes that it was called, and how. */
export function stage(
  { spool, command = '', starter = NOTE, node = '/bin/sh' }: StageOptions = {},
  atEnd: (end: () => void) => void = onTestFinished,
): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "vigil hook's $")))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const at = (name: string) => join(folder, name)
  const places = { spool: spool ?? at('spool'), run: at('run') }
  mkdirSync(places.run, { mode: 0o700 })
  writeFileSync(at('start.sh'), starter)
  symlinkSync(ANSWER, at('answer.js'))
  const start = { node, vigil: at('start.sh'), environment: { VIGIL_HOME: folder } }
  const scripts = { hook: at('vigil-hook'), statusline: at('vigil-statusline') }
  const mode = 0o700
  writeFileSync(scripts.hook, renderHook({ ...places, ...start }), { mode })
  writeFileSync(
    scripts.statusline,
    renderTemplate('vigil-statusline', { SPOOL: places.spool, COMMAND: command ?? '' }),
    { mode },
  )
  return { folder, ...places, ...scripts, mark: `vigil-test-${randomUUID()}` }
}

const ANSWER = fileURLToPath(new URL('../../bin/answer.js', import.meta.url))
const NOTE = `{ echo "args $*"; echo "cwd $(pwd)"; env; echo end; } >>"$VIGIL_HOME/starts"\n`

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
  /** The other end of its stdin was closed before all was read. */
  readonly unread: boolean
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  /** Leaves stdin open after the input. */
  readonly open?: boolean
  readonly cwd?: string
  readonly uid?: number
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** Ended means that its output is closed too: nothing it started holds it. */
export function begin(on: Stage, command: readonly string[], options: RunOptions = {}): Running {
  const [program = '', ...args] = command
  const { env = { PATH: process.env.PATH ?? '' }, input = '', open = false } = options
  const { cwd = '/', uid = process.getuid?.() ?? 0 } = options
  const began = performance.now()
  const child = spawn(program, args, { cwd, uid, env: { ...env, VIGIL_TEST_MARK: on.mark } })
  // A script may end before it has read all, as any hook may.
  let unread = false
  child.stdin.on('error', () => {
    unread = true
  })
  if (open) child.stdin.write(input)
  else child.stdin.end(input)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      child.stdin.destroy()
      resolve({ code, signal, stdout, stderr, ms: performance.now() - began, unread })
    })
  })
  return { child, ended }
}

export function run(on: Stage, command: readonly string[], options?: RunOptions): Promise<Ended> {
  return begin(on, command, options).ended
}

export function runHook(shell: string, on: Stage, options?: RunOptions): Promise<Ended> {
  return run(on, [...shell.split(' '), on.hook], options)
}

/** After `prelude`, with the spool as $1, the hook takes the shell's place, process id and all. */
export function runAfter(
  prelude: string,
  shell: string,
  on: Stage,
  options?: RunOptions,
): Promise<Ended> {
  return run(on, ['/bin/sh', '-c', `${prelude}\nexec ${shell} "$0"`, on.hook, on.spool], options)
}

export const silent = { code: 0, signal: null, stdout: '', stderr: '' }

export interface SpoolFile {
  readonly name: string
  readonly text: string
  readonly complete: boolean
  readonly head: Readonly<Record<string, string>>
  readonly payload: string
}

export function spooled({ spool }: Stage): SpoolFile[] {
  if (!existsSync(spool)) return []
  return readdirSync(spool).map((name) => spoolFile(name, readFileSync(join(spool, name), 'utf8')))
}

function spoolFile(name: string, text: string): SpoolFile {
  const gap = text.indexOf('\n\n')
  const [version = '', ...lines] = text.slice(0, gap).split('\n')
  const head = Object.fromEntries(lines.map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []))
  const complete = version === 'vigil 1' && text.endsWith('\n.\n')
  return { name, text, complete, head, payload: text.slice(gap + 2, complete ? -3 : undefined) }
}

/** As the daemon writes it: this process and its start stand for it. */
export function daemonRuns(on: Stage, pid = process.pid, start = startOf(pid)): void {
  writeFileSync(join(on.run, 'daemon.pid'), `${pid} ${start}\n`)
}

/** Field 22; the second is a name in parentheses that may hold anything. */
export function startOf(pid: number): string {
  if (!hasProc) return '-'
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

/** One entry a start: what the start command was called with and found. */
export function starts({ folder }: Stage): string[] {
  const path = join(folder, 'starts')
  return existsSync(path) ? readFileSync(path, 'utf8').split('end\n').slice(0, -1) : []
}

/** Processes that a script on this stage started and that are still there. */
export function left({ mark, folder }: Stage): number[] {
  // What the hook starts has no variable but those of a daemon.
  const marks = [mark, `VIGIL_HOME=${folder}\0`]
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
        return marks.some((one) => environ.includes(one))
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Seen several times: a process that is becoming another program has no variables to be read. */
export async function settled(on: Stage): Promise<void> {
  let quiet = 0
  await until('processes to end', () => {
    quiet = hasProc && left(on).length > 0 ? 0 : quiet + 1
    return quiet > 3
  })
}

const WAIT_MAX_MS = 20_000

export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + WAIT_MAX_MS
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited ${WAIT_MAX_MS} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
