import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { foldersOf } from '../../src/home/folders.ts'
import { CodexStage } from '../../test/support/codex/stage.ts'
import { standForDaemon } from './installed.ts'
import { takeTurns } from './rounds.ts'
import { reportsLeft } from './sets.ts'
import { TOOL_CALLS } from './turn.ts'

const ROUNDS = 9

/** An `async` hook may end after its client. */
const LATE_MS = 300

/** A turn of Codex without vigil and with the events that install subscribes to. */
export async function codexSets() {
  const on = await CodexStage.open([])
  const { spool, run } = foldersOf(on.env)
  try {
    const config = on.read('config.toml')
    await on.vigil('install')
    const own = { config: on.read('config.toml'), hooks: on.read('hooks.json') }
    standForDaemon(run)
    const runs: Record<string, number[]> = { none: [], short: [] }
    const hooks: Record<string, number> = {}
    const turns = await takeTurns(Object.keys(runs), ROUNDS, async (kind) => {
      const isShort = kind === 'short'
      writeFileSync(join(on.home, 'config.toml'), isShort ? own.config : config)
      if (isShort) writeFileSync(join(on.home, 'hooks.json'), own.hooks)
      else rmSync(join(on.home, 'hooks.json'), { force: true })
      const played = await playCodexTurn(on)
      await sleep(LATE_MS)
      runs[kind]?.push(played.runMs)
      hooks[kind] = reportsLeft(spool, kind)
      return played.turnMs
    })
    return { rounds: ROUNDS, turns, runs, hooks }
  } finally {
    await on.end()
  }
}

/** As `playTurn`: from the first request to the last, and with the client's start and end. */
async function playCodexTurn(on: CodexStage) {
  const calls = Array.from({ length: TOOL_CALLS }, () => ({ text: 'Reading.', command: 'true' }))
  on.model.add([...calls, { text: 'Done.' }])
  const before = on.model.askedAt.length
  const began = performance.now()
  const free = '--dangerously-bypass-approvals-and-sandbox'
  const { code, stderr } = await on.run(['codex', 'exec', free, 'read the files'])
  const runMs = performance.now() - began
  if (code !== 0) throw new Error(`client: ${stderr}`)
  const asked = on.model.askedAt.slice(before)
  if (asked.length !== TOOL_CALLS + 1)
    throw new Error(`turn: expected ${TOOL_CALLS + 1} requests, came ${asked.length}`)
  return { turnMs: (asked.at(-1) ?? 0) - (asked[0] ?? 0), runMs }
}
