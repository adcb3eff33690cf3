import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '../../src/protocol/session.ts'
import { type RunOptions, vigilIn } from '../commands/support.ts'
import { DaemonHome, OWN, until } from '../support/daemon.ts'
import { describeUnless } from '../support/needs.ts'
import { typedOnTerminal } from '../support/typed-on-terminal.ts'
import { endRequests, waitingHook } from '../support/waiting-hook.ts'

let home: DaemonHome
let count = 0
const left = new AbortController()
const rows = new Map<string, Session>()

beforeAll(async () => {
  home = new DaemonHome()
  await home.start()
  void (async () => {
    for await (const events of home.client.stream({ signal: left.signal }))
      for (const one of events) if (one.kind === 'session') rows.set(one.session.id, one.session)
  })()
})

afterEach(() => endRequests(home))
afterAll(async () => {
  left.abort()
  await home.end()
})

const env = { CLAUDECODE: undefined, CLAUDE_CODE_SESSION_ID: undefined, TMUX: undefined }

function vigil(args: readonly string[], options: RunOptions = {}) {
  return vigilIn(home.path, args, { ...options, env: { ...env, ...options.env } })
}

/** What a person sees after typing this and Enter. */
function onTerminal(args: readonly string[], typed: string): Promise<string> {
  return typedOnTerminal(args, typed, { ...home.env, ...env })
}

const COLOUR = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [{ label: 'Red', description: 'warm' }, { label: 'Blue' }],
}
const RULES = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
  behavior: 'allow',
  destination: 'localSettings',
}

interface Told {
  readonly act: string
  readonly output?: { readonly hookSpecificOutput: { readonly decision: object } }
}

const idOf = async ({ id }: { readonly id: string }) =>
  (await home.client.requests(id)).requests[0]?.id ?? ''

/** As a user who has read the only request. */
async function seen(): Promise<readonly string[]> {
  const { stdout } = await vigil(['answer', '--json'])
  return ['--request', JSON.parse(stdout)[0].code]
}

/** A session that asks, with a hook that waits: as a client and vigil's hook do it. */
async function asking(tool = 'Bash', input: object = { command: 'npm test' }, more = {}) {
  count += 1
  const id = `${OWN}${count}-asks`
  const base = { session_id: id, cwd: `/home/ada/place${count}` }
  const call = { ...base, tool_name: tool, tool_input: input }
  home.write({ ...base, hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  await home.taken()
  const asked = { ...call, hook_event_name: 'PermissionRequest', ...more }
  const { told } = await waitingHook(home, asked)
  await until('it asks', async () => (await home.client.session(id))?.asks.length === 1)
  const decided = told.then((outcome) => {
    const { output } = outcome as Told
    return output?.hookSpecificOutput.decision
  })
  /** Answered in its terminal. */
  const over = async () => {
    home.write({ ...base, hook_event_name: 'Stop' })
    expect(await decided).toBe(undefined)
  }
  return { id, decided, over }
}

const within = process.env.CLAUDECODE ? 'an agent runs this test, and may not answer' : undefined

describeUnless(within)('vigil answer', () => {
  it('[AN23] shows what is asked, with everything needed to decide', async () => {
    const suggestions = { permission_suggestions: [RULES] }
    const { id, over } = await asking('Bash', { command: 'npm test' }, suggestions)
    const { lines } = await vigil(['answer', id])
    expect(lines).toEqual([
      expect.stringMatching(/^place\d asks to use Bash, \d+ s ago$/),
      '  $ npm test',
      '  --suggestion 0: always allow npm test in this project',
      expect.stringMatching(/^ {2}--request [\da-f]{12}$/),
    ])
    const { stdout } = await vigil(['answer', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ tool: 'Bash', answerable: true }])
    await over()
    expect((await vigil(['answer', id])).stdout).toMatch(/^place\d has no open request\n$/)
  })

  it('[AN30] what it asks is in its row, which comes again with each change', async () => {
    const { id, decided } = await asking()
    const [request] = (await home.client.requests(id)).requests
    const { id: name = '', digest: shown = '' } = request ?? {}
    await until('it asks', () => rows.get(id)?.asks.includes(name))
    await home.client.answer(name, { choice: 'allow', where: 'cli', shown })
    await until('it asks no more', () => rows.get(id)?.asks.length === 0)
    await decided
  })

  it('[AN23] allows the one that asks, and says what it was', async () => {
    const { decided } = await asking()
    const { status, lines, stderr } = await vigil(['answer', 'allow', ...(await seen())])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(lines.slice(1)).toEqual(['  $ npm test', 'allowed'])
    expect(await decided).toEqual({ behavior: 'allow' })
    expect((await vigil(['answer', 'allow'])).stderr).toContain('it was just answered')
  })

  it('[SH6] shows everything: no line and no field is left out', async () => {
    const command = Array.from({ length: 180 }, (_, at) => `echo ${at}`).join('\n')
    const input = { plan: 'harmless', command, dangerouslyDisableSandbox: true, sudo: 'yes' }
    const { over } = await asking('Bash', input)
    const { lines } = await vigil(['answer'])
    expect(lines.filter((line) => /^ {2}[$ ] echo \d+$/.test(line))).toHaveLength(180)
    for (const line of [
      '  ! plan: harmless',
      '  ! dangerouslyDisableSandbox: true',
      '  ! sudo: yes',
    ])
      expect(lines).toContain(line)
    await over()
  })

  it('[SH6] without a terminal nothing is allowed that was not named', async () => {
    const first = await asking('Bash', { command: 'ls' })
    const code = await seen()
    for (const words of [
      ['allow'],
      [first.id, 'allow'],
      ['allow', '--request', await idOf(first)],
    ]) {
      const { status, stderr } = await vigil(['answer', ...words])
      expect([status, stderr]).toEqual([2, expect.stringContaining('--request must name')])
    }
    await first.over()
    // The code of one fits no other, though it asks the very same.
    const second = await asking('Bash', { command: 'ls' })
    const { status, stderr } = await vigil(['answer', 'allow', ...code])
    expect([status, stderr]).toEqual([2, expect.stringContaining('has this code')])
    await vigil(['answer', second.id, 'deny'])
    expect(await second.decided).toMatchObject({ behavior: 'deny' })
    const third = await asking('AskUserQuestion', { questions: [COLOUR] })
    expect((await vigil(['answer', 'pick', '1'])).stderr).toContain('--request must name')
    await third.over()
  })

  it('[SH6] on a terminal all of it is shown, and then it asks', async () => {
    const { id, decided } = await asking('Bash', { command: 'ls', sudo: true })
    expect(await onTerminal(['answer', id, 'allow'], '')).toContain('not answered')
    expect(await onTerminal(['answer', id, 'allow'], 'Y es')).toContain('not answered')
    const said = await onTerminal(['answer', id, 'allow'], 'y')
    expect(said).toMatch(/\$ ls\s+! sudo: true[^$]*Allow this\?/)
    expect(await decided).toEqual({ behavior: 'allow' })
  })

  it('[SH6] asks about the answer that was picked, by what it says', async () => {
    const { decided } = await asking('AskUserQuestion', { questions: [COLOUR] })
    const said = await onTerminal(['answer', 'pick', '2'], 'y')
    expect(said).toMatch(/^Answer Blue\?\r?\n\[y\/N\] /m)
    expect(await decided).toMatchObject({ updatedInput: { answers: { 'Which colour?': 'Blue' } } })
  })

  it('[SH6][AN23] denies with a word, and allows with a suggestion that it shows', async () => {
    const first = await asking()
    await vigil(['answer', first.id, 'deny', '--word', 'not "now"'])
    expect(await first.decided).toEqual({ behavior: 'deny', message: 'not "now"' })
    const second = await asking('Bash', { command: 'x' }, { permission_suggestions: [RULES] })
    const wrong = await vigil(['answer', 'allow', '--suggestion', '3', ...(await seen())])
    expect(wrong.status).toBe(2)
    expect(wrong.stderr).toContain('no suggestion with this number')
    const { lines } = await vigil(['answer', 'allow', '--suggestion', '0', ...(await seen())])
    expect(lines).toContain('  ! and from then on: always allow npm test in this project')
    expect(await second.decided).toMatchObject({ updatedPermissions: [RULES] })
  })

  it('[AN23] never guesses among several', async () => {
    const [one, two] = [await asking(), await asking('Edit', { file_path: '/f' })]
    const { status, stderr } = await vigil(['answer', 'allow'])
    expect(status).toBe(2)
    expect(stderr).toContain('Name the session, or use --request CODE')
    expect(stderr).toContain('asks to use Bash')
    expect(stderr).toContain('asks to use Edit')
    const [request] = (await home.client.requests(two.id)).requests
    await vigil(['answer', 'deny', '--request', request?.id ?? ''])
    expect(await two.decided).toMatchObject({ behavior: 'deny' })
    await vigil(['answer', one.id, 'allow', ...(await seen())])
    expect(await one.decided).toEqual({ behavior: 'allow' })
  })

  it('[AN23] picks by number, label or own words', async () => {
    const size = { ...COLOUR, question: 'Which size?', multiSelect: true }
    const questions = { questions: [COLOUR, size] }
    const { decided } = await asking('AskUserQuestion', questions)
    const few = await vigil(['answer', 'pick', '1'])
    expect(few.stderr).toContain('expected 2 answers, got 1. The questions are:\n  Which colour?\n')
    expect((await vigil(['answer', 'pick', '1,2', '1'])).stderr).toContain('only one option')
    expect((await vigil(['answer', 'pick', '3', '1'])).stderr).toContain('no such option')
    const { lines } = await vigil(['answer', 'pick', 'my own', 'blue,1', ...(await seen())])
    expect(lines.at(-1)).toBe('answered: my own · Blue, Red')
    expect(await decided).toMatchObject({
      updatedInput: { answers: { 'Which colour?': 'my own', 'Which size?': 'Blue, Red' } },
    })
  })

  it('[AN32] approves a plan, and nothing else', async () => {
    const plan = await asking('ExitPlanMode', { plan: '# Move the tests' })
    const { stdout } = await vigil(['answer', plan.id, 'approve', ...(await seen())])
    expect(stdout).toMatch(/approved\n$/)
    expect(await plan.decided).toMatchObject({ behavior: 'allow' })
    const other = await asking()
    const refused = await vigil(['answer', other.id, 'approve', ...(await seen())])
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toContain('answer approve: this request is for a permission')
    await other.over()
  })

  it('[AN9] refuses to be run from within an agent', async () => {
    const { over } = await asking()
    for (const own of [{ CLAUDECODE: '1' }, { CLAUDE_CODE_SESSION_ID: 'x' }]) {
      const { status, stderr } = await vigil(['answer', 'allow'], { env: own })
      expect(status).toBe(2)
      expect(stderr).toContain(
        'this command runs inside an agent: only the user answers what agents ask',
      )
    }
    await over()
  })

  it.each([
    ['payments', 'perhaps'],
    ['allow', 'it'],
    ['x', 'deny', 'because'],
  ])('[AN23] does not know %s %s', async (...words) => {
    const { status, stderr } = await vigil(['answer', ...words.filter(Boolean)])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^vigil: /)
  })
})

describe('vigil answers', () => {
  it('[AN24] turns it off for good, and on again', async () => {
    const { decided, id } = await asking()
    expect((await vigil(['answers', 'off'])).stdout).toBe('answers: off\n')
    expect(await decided).toBe(undefined)
    await until('no hook waits', () => !home.hooksWait())
    const [request] = (await home.client.requests(id)).requests
    expect(request).toMatchObject({ answerable: false, why: expect.stringContaining('off') })
    const file = join(home.folders.config, 'settings.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ answers: { on: false } })
    expect((await vigil(['answers', 'on'])).stdout).toBe('answers: on\n')
    await until('hooks wait', () => home.hooksWait())
    const { stdout } = await vigil(['answers', 'status', '--json'])
    expect(JSON.parse(stdout)).toEqual({ on: true, daemon: true, waits: true, open: 0 })
  })

  it('[AN24] tells what was done', async () => {
    const { decided, id } = await asking()
    await home.client.answer((await home.client.session(id))?.asks[0] ?? '', {
      choice: 'deny',
      word: 'no \u001b[31mred\u202e',
      where: 'page',
    })
    await decided
    const { lines } = await vigil(['answers', 'log', id])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /ago {2}place\d+ +denied Bash: no .*red.* \(the user, over the socket, page\)$/,
    )
    expect(lines[0]).not.toContain('\u001b')
    expect(lines[0]).not.toContain('\u202e')
    const { stdout } = await vigil(['answers', 'log', '--json', '--limit', '1'])
    expect(JSON.parse(stdout)).toMatchObject([{ session: id, what: 'answer' }])
    const { stdout: all } = await vigil(['answers', 'log', '--json'])
    const acts = JSON.parse(all) as { readonly session: string }[]
    expect(acts.filter(({ session }) => session === '')).toEqual([])
  })
})
