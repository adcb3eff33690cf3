import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { translateClaude } from '../../src/agents/claude/translate.ts'
import { judge } from '../../src/core/judge.ts'
import { Tracker } from '../../src/core/tracker.ts'
import { Random } from '../simulation/random.ts'
import { CODE_CACHE } from '../support/code-cache.ts'

const COMMAND = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

export interface Tortured {
  readonly kills: number
  readonly written: number
  /** Reports whose file was gone when the daemon was killed. */
  readonly acknowledged: number
  /** Kills that fell between the start of the daemon and its first commit. */
  readonly early: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Sessions whose row is not what their reports make them. */
  readonly wrongEnd: readonly string[]
}

interface Options {
  readonly home: string
  readonly kills: number
  readonly seed: number
  readonly onKill?: (count: number) => void
}

/** A daemon that takes longer than this to start is broken, not slow. */
const START_MAX_MS = 30_000
/** Hooks write while the daemon starts, works and dies: some at a time. */
const BURST_MAX = 8
/** A backlog that only grows would make every kill fall into its listing. */
const WAITING_MAX = 100

/**
 * The real daemon, killed with SIGKILL at random moments while hooks write; after each kill every
 * report whose file is gone must be in the log, and at the end all of them exactly once.
 */
export async function torture({ home, kills, seed, onKill }: Options): Promise<Tortured> {
  const random = new Random(seed)
  const spool = new Spool(join(home, 'spool'), random)
  const log = new Log(join(home, 'vigil.db'))
  const lost = new Set<string>()
  let early = 0
  for (let kill = 1; kill <= kills; kill++) {
    const daemon = start(home)
    // Some die while they start, most at a random moment after they were up.
    const startOnly = random.chance(0.2)
    const giveUpAt = performance.now() + (startOnly ? random.between(20, 600) : START_MAX_MS)
    let endAt = giveUpAt
    while (performance.now() < endAt) {
      if (spool.waiting() < WAITING_MAX) spool.write(Math.floor(random.between(0, BURST_MAX)))
      await sleep(random.between(1, 30))
      if (!startOnly && endAt === giveUpAt && isUp(home, daemon.pid))
        endAt = performance.now() + random.between(0, 250)
    }
    daemon.kill('SIGKILL')
    await once(daemon, 'exit')
    const present = log.nonces()
    const gone = spool.gone()
    if (gone.length === 0) early += 1
    for (const nonce of gone) if (!present.has(nonce)) lost.add(nonce)
    onKill?.(kill)
  }
  const acknowledged = spool.gone().length
  await drain(home)
  const present = log.nonces()
  const doubled = [...present].flatMap(([nonce, count]) => (count > 1 ? nonce : []))
  for (const nonce of spool.written) if (!present.has(nonce)) lost.add(nonce)
  return {
    kills,
    written: spool.written.length,
    acknowledged,
    early,
    lost: [...lost],
    doubled,
    wrongEnd: log.wrongEnd(),
  }
}

function start(home: string): ChildProcess {
  // `env` of its own: no agent of the machine's user may be found and mixed in.
  const own = { HOME: join(home, 'nobody'), VIGIL_HOME: home }
  const env = { PATH: process.env.PATH, ...own, ...CODE_CACHE }
  return spawn(process.execPath, [COMMAND, 'daemon', '--quiet'], { env, stdio: 'ignore' })
}

function isUp(home: string, pid: number | undefined): boolean {
  try {
    const who = readFileSync(join(home, 'run', 'daemon.json'), 'utf8')
    return JSON.parse(who).pid === pid
  } catch {
    return false
  }
}

async function drain(home: string): Promise<void> {
  const daemon = start(home)
  const spool = join(home, 'spool')
  const giveUpAt = performance.now() + START_MAX_MS
  while (readdirSync(spool).length > 0 || !isUp(home, daemon.pid)) {
    if (performance.now() > giveUpAt) throw new Error('the spool was not taken in time')
    await sleep(20)
  }
  daemon.kill('SIGTERM')
  const [code] = await once(daemon, 'exit')
  if (code !== 0) throw new Error(`the daemon ended with ${code} on SIGTERM`)
}

const EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const

/** Writes as the hook does: a file that is there at once and complete a moment later. */
class Spool {
  readonly written: string[] = []
  readonly #folder: string
  readonly #random: Random

  constructor(folder: string, random: Random) {
    this.#folder = folder
    this.#random = random
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  write(count: number): void {
    for (let i = 0; i < count; i++) {
      const nonce = `n${this.written.length}`
      const session = `session-${this.#random.pick([1, 2, 3, 4, 5])}`
      const event = this.#random.pick(EVENTS)
      const payload = {
        session_id: session,
        hook_event_name: event,
        prompt: 'x',
        tool_name: 'Bash',
        tool_use_id: nonce,
        nonce,
      }
      const path = join(this.#folder, `hook.${this.written.length + 1}`)
      const text = `vigil 1\n\n${JSON.stringify(payload)}`
      const half = Math.floor(this.#random.between(0, text.length))
      writeFileSync(path, text.slice(0, half))
      writeFileSync(path, `${text.slice(half)}\n.\n`, { flag: 'a' })
      this.written.push(nonce)
    }
  }

  waiting(): number {
    return readdirSync(this.#folder).length
  }

  gone(): string[] {
    const there = new Set(readdirSync(this.#folder))
    return this.written.filter((_, index) => !there.has(`hook.${index + 1}`))
  }
}

class Log {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** How often each report is in the log. */
  nonces(): Map<string, number> {
    const found = new Map<string, number>()
    if (!existsSync(this.#path)) return found
    const database = new DatabaseSync(this.#path, { readOnly: true })
    const rows = database
      .prepare(`SELECT json_extract(body, '$.payload.nonce') AS nonce FROM reports`)
      .all()
    database.close()
    for (const { nonce } of rows)
      if (nonce !== null) found.set(String(nonce), (found.get(String(nonce)) ?? 0) + 1)
    return found
  }

  /** Sessions that are not what their reports make them: append and projection differ. */
  wrongEnd(): string[] {
    const database = new DatabaseSync(this.#path, { readOnly: true })
    const tracker = new Tracker(translateClaude)
    for (const { body } of database.prepare('SELECT body FROM reports ORDER BY id').all())
      tracker.learn(JSON.parse(String(body)))
    const rows = database.prepare('SELECT id, state, last_at AS at FROM sessions').all()
    database.close()
    return rows.flatMap(({ id, state, at }) => {
      const facts = tracker.sessions.facts(String(id))
      const expected = facts && judge(facts, Number(at)).state
      return state === expected ? [] : [`${id} is ${state}, its reports say ${expected}`]
    })
  }
}
