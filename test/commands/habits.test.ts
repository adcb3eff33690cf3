import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wantsColour } from '../../src/surfaces/cli/paint.ts'
import { startEngine, vigilIn } from './support.ts'

/** What people and scripts expect of any command. */

const LONG = 'a-name-that-is-far-longer-than-any-column-of-a-listing'
const TOLD = `printf ${'x'.repeat(120)} END`
const PERSON = { CLAUDECODE: undefined, CLAUDE_CODE_SESSION_ID: undefined, AI_AGENT: undefined }

let rig: Awaited<ReturnType<typeof startEngine>>
const vigil = (args: readonly string[], env: Record<string, string | undefined> = {}) =>
  vigilIn(rig.home, args, { env: { ...PERSON, ...env } })

const hook = (session_id: string, hook_event_name: string, more: object = {}) => ({
  t: Date.now(),
  source: 'hook' as const,
  payload: { session_id, hook_event_name, cwd: `/srv/${session_id}`, ...more },
})

beforeAll(async () => {
  rig = await startEngine()
  const tool = { tool_name: 'Bash', tool_use_id: 'b1', tool_input: { command: TOLD } }
  rig.play([
    hook('over', 'SessionStart', { source: 'startup' }),
    hook('over', 'SessionEnd', { reason: 'exit' }),
    hook('rests', 'SessionStart', { source: 'startup' }),
    hook(LONG, 'UserPromptSubmit', { prompt: 'go' }),
    hook(LONG, 'PreToolUse', tool),
    hook(LONG, 'PermissionRequest', tool),
  ])
})
afterAll(() => rig.close())

describe('a name that was mistyped', () => {
  it('[CM20] is refused with the command that it is a slip of', async () => {
    const { status, stderr } = await vigil(['statsu'])
    expect([status, stderr]).toEqual([2, 'vigil: statsu: no such command (did you mean status?)\n'])
    const { stderr: within } = await vigil(['loop', 'sttaus'])
    expect(within).toBe('vigil: loop sttaus: no such command (did you mean status?)\n')
    const { stderr: near } = await vigil(['saty'])
    expect(near).toContain('(did you mean say?)')
  })

  it('[CM20] is refused without a guess where no command is near', async () => {
    const { stderr } = await vigil(['nonsense'])
    expect(stderr).toBe('vigil: nonsense: no such command; run `vigil --help` for a list\n')
  })
})

it.each([
  [['status', '--nonsense']],
  [['status', '--jsno']],
  [['why']],
  [['why', 'nobody']],
  [['wait', 'x', '--until', 'nonsense']],
  [['tmux', 'on', '--mode', 'nonsense']],
  [['nonsense']],
])('[CM21] the error of vigil %j begins with its name', async (args) => {
  const { status, stderr } = await vigil(args)
  expect(status).toBe(2)
  expect(stderr).toMatch(/^vigil: (?!error)/)
})

it.each(['answers', 'tmux', 'notify', 'loop'])(
  '[CM22] vigil %s prints its status',
  async (name) => {
    const bare = await vigil([name])
    expect(bare.status).toBe(0)
    expect(bare.stdout).toBe((await vigil([name, 'status'])).stdout)
    expect(bare.stdout).not.toContain('Usage')
  },
)

describe('vigil wait', () => {
  it.each(['2s', '1', '0.5'])('[CM23] gives up after --timeout %s', async (time) => {
    const { status, stderr } = await vigil(['wait', 'rests', '--until', 'error', '--timeout', time])
    expect([status, stderr]).toEqual([124, 'vigil: rests: timed out before it reached the state\n'])
  })

  it.each(['soon', '2 weeks', '-1', '', '30d'])('[CM23] refuses --timeout %j', async (time) => {
    const { status, stderr } = await vigil(['wait', 'rests', '--until', 'idle', '--timeout', time])
    expect(status).toBe(2)
    expect(stderr).toContain('expected a time such as 2s')
  })

  it('[CM23] --any is reached by whichever session is in one of the states', async () => {
    const waiting = await vigil(['wait', '--any', '--until', 'waiting,error'])
    expect([waiting.status, waiting.stdout]).toEqual([0, `${LONG}: waiting for permission\n`])
    const json = await vigil(['wait', '--any', '--until', 'idle', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'rests', state: 'idle' })
  })

  it('[CM23] --any is not reached by what ended before, and by what ends then', async () => {
    const args = ['wait', '--any', '--until', 'closed', '--timeout']
    expect((await vigil([...args, '1s'])).status).toBe(124)
    const ending = vigil([...args, '1m'])
    // Again and again: the command takes its time to begin.
    const begins = setInterval(() => {
      rig.play([hook('ends', 'SessionStart', { source: 'startup' })])
      rig.play([hook('ends', 'SessionEnd', { reason: 'exit' })])
    }, 300)
    const { status, stdout } = await ending
    clearInterval(begins)
    expect([status, stdout]).toEqual([0, 'ends: closed: exit\n'])
  })

  it('[CM23] takes a session or --any, and not both', async () => {
    for (const which of [[], ['rests', '--any']]) {
      const { status, stderr } = await vigil(['wait', ...which, '--until', 'idle'])
      expect([status, stderr]).toEqual([2, 'vigil: expected a session or --any\n'])
    }
  })
})

it('[CM24] what is not printed on a terminal is not cut', async () => {
  const { lines } = await vigil(['status'])
  const line = lines.find((one) => one.includes(LONG)) ?? ''
  expect(line).toContain(TOLD)
  expect(line).not.toContain('…')
})

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: 'true', NO_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [true, { FORCE_COLOR: '' }, true],
  ])('[CM25] on a terminal %s, with %j: %s', (isTerminal, env, expected) => {
    expect(wantsColour(isTerminal, env)).toBe(expected)
  })

  it('[CM25] FORCE_COLOR colours what is piped', async () => {
    const plain = await vigil(['status'], { FORCE_COLOR: undefined, NO_COLOR: undefined })
    expect(plain.stdout).not.toContain('\u001b[')
    const forced = await vigil(['status'], { FORCE_COLOR: '1' })
    expect(forced.stdout).toContain('\u001b[33m')
  })
})

it('[CM26] vigil next --json prints the session that needs you, and moves nothing', async () => {
  for (let time = 0; time < 2; time++) {
    const { status, stdout } = await vigil(['next', '--json'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id: LONG, state: 'waiting' })
  }
})

it('[VW30] what a session’s tool usually takes is in its row', async () => {
  const call = (at: number) => ({ tool_name: 'Bash', tool_use_id: `t${at}`, tool_input: {} })
  const later = (ms: number, report: ReturnType<typeof hook>) => ({ ...report, t: report.t + ms })
  const calls = Array.from({ length: 5 }, (_, at) => [
    later(at * 10, hook('tools', 'PreToolUse', call(at))),
    later(at * 10 + 7, hook('tools', 'PostToolUse', { ...call(at), tool_response: {} })),
  ])
  rig.play([...calls.flat(), later(100, hook('tools', 'PreToolUse', call(9)))])
  const { stdout } = await vigil(['status', '--json'])
  const rows = JSON.parse(stdout) as { id: string; usualMs: number | null }[]
  expect(rows.find(({ id }) => id === 'tools')?.usualMs).toBeGreaterThanOrEqual(7)
  expect(rows.find(({ id }) => id === 'rests')?.usualMs).toBe(null)
})

it('[PA21] vigil typing takes a session or --all, and then on or off', async () => {
  for (const args of [[], ['--all', 'on', 'off'], ['--all', 'nonsense'], ['rests', 'nonsense']]) {
    const { status, stderr } = await vigil(['typing', ...args])
    expect(status, args.join(' ')).toBe(2)
    expect(stderr).toMatch(/expected (a session or --all|on or off)/)
  }
  const { stdout } = await vigil(['typing', '--all', 'on'])
  expect(stdout).toBe('no session is open in tmux\n')
})
