import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { until } from '../support/daemon.ts'
import { vigilIn } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-live-'))
const home = join(folder, 'vigil')
const env = { HOME: folder, CLAUDE_CONFIG_DIR: undefined }
const vigil = (...args: string[]) => vigilIn(home, args, { env })
const folders = foldersOf({ VIGIL_HOME: home })
let client: Client

beforeAll(async () => {
  await vigil('status')
  client = connect(folders)
})

afterAll(async () => {
  await vigil('stop')
  rmSync(folder, { recursive: true, maxRetries: 10 })
})

/** One turn, told by hooks as they would come. */
async function turn(session_id: string): Promise<void> {
  const cwd = `/srv/${session_id}`
  const hook = (hook_event_name: string, more = {}) => {
    const payload = { session_id, cwd, hook_event_name, ...more }
    return client.post({ report: { source: 'hook', payload } })
  }
  const tool = { tool_name: 'Bash', tool_input: { command: 'make secret' } }
  await hook('SessionStart', { source: 'startup' })
  await hook('UserPromptSubmit', { prompt: 'hunter2' })
  await hook('PermissionRequest', tool)
  await hook('PostToolUse', { ...tool, tool_use_id: 'x' })
  await hook('Stop')
}

describe('with the real daemon', () => {
  it('[CM1] what it said of a session is what a replay of its export says', async () => {
    await turn('first')
    const history = await client.history('first')
    const said = history?.map(({ verdict }) => verdict.state).toReversed()
    expect(said).toEqual(['idle', 'working', 'waiting', 'idle'])
    const file = join(folder, 'first.jsonl')
    expect((await vigil('export', 'first', '-o', file)).status).toBe(0)
    const { lines } = await vigil('replay', '--json', file)
    expect(lines.map((line) => JSON.parse(line).state)).toEqual(said)
    const { stdout } = await vigil('import', '--name', 'ada', file)
    // An id that the client did not make is a word that a user chose.
    expect(stdout).toMatch(/^ada\/h\d+\n$/)
    const imported = await client.history(stdout.trim())
    expect(imported?.map(({ verdict }) => verdict.state).toReversed()).toEqual(said)
  })

  it('[CM8] a status line’s report comes into the log, and its file goes', async () => {
    const payload = { session_id: 'first', context_window: { remaining_percentage: 40 } }
    await vigilIn(home, ['statusline'], { env, input: JSON.stringify(payload) })
    const used = async () => (await client.session('first'))?.contextUsedPercent
    await until('it is in the log', async () => (await used()) === 60)
    await until('its file is gone', () => readdirSync(folders.spool).length === 0)
  })

  it('[CM7] its sessions can be completed', async () => {
    // A daemon that is too busy to answer at once is not waited for.
    await until('they are shown', async () => {
      const { lines } = await vigil('completion', '--sessions=fir')
      return lines.join() === 'first\tidle after talk'
    })
  })
})
