import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allRecordings } from '../../../test/support/recordings.ts'
import { translateClaude } from '../../agents/claude/translate.ts'
import { type Report, SOURCES } from '../../core/signal.ts'
import { reportsOf } from '../../recording/read.ts'
import { replayedChanges } from './export-verify.ts'
import { redactAll } from './redact.ts'
import { Hidden } from './redact-hidden.ts'
import { rulesOf } from './redact-rules.ts'
import { redactScreen } from './redact-screen.ts'

const ALL = { paths: true, screens: true }
const redact = (reports: readonly Report[]) => [...redactAll(reports, ALL).reports]
const one = (report: Report) => redact([report])[0] as unknown as Record<string, never>

describe('hiding', () => {
  it.each(allRecordings().map((recording) => [recording.name, reportsOf(recording)] as const))(
    '[CM2] changes no verdict in %s',
    (_, reports) => {
      const told = replayedChanges(reports)
      expect(told).not.toBe('')
      expect(replayedChanges(redact(reports))).toBe(told)
    },
  )

  it('[CM2] leaves no user’s words in a recording', () => {
    const words = /SCENARIO|sleep|touch|colour|hello\.txt|new\.txt|\/lab|project-|Done test/
    for (const recording of allRecordings()) {
      const reports = reportsOf(recording)
      expect(words.test(JSON.stringify(reports))).toBe(true)
      expect(words.exec(JSON.stringify(redact(reports)))?.[0], recording.name).toBeUndefined()
    }
  })

  it('[CM2][A7] tells that the agent asked something, and not what', () => {
    const hook = (t: number, event: string, more: object) =>
      ({
        t,
        source: 'hook',
        payload: { session_id: 's', hook_event_name: event, ...more },
      }) as const
    const reports = [
      hook(1, 'UserPromptSubmit', { prompt: 'why' }),
      hook(2, 'Stop', { last_assistant_message: 'Canary birds sing. Shall I?' }),
    ]
    const told = replayedChanges(reports)
    expect(told).toContain('"unread":true')
    expect(replayedChanges(redact(reports))).toBe(told)
    expect(JSON.stringify(redact(reports))).not.toMatch(/Canary|Shall/)
  })

  it('[CM2] hides whatever it does not know, wherever it stands', () => {
    const canary = 'Canary bird 4711'
    const place = fc.constantFrom(
      ...['payload', 'entry', 'file', 'env', 'x', 'tool_input', 'message', 'content', 'status'],
      ...['toolUseResult', 'prompt', 'error', 'reason', 'title', 'name', 'cwd', 'key', canary],
    )
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(canary, `<task-notification>${canary}`, `<command-name>/clear<${canary}`),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(place, tie('any'), { maxKeys: 4 }),
      ),
    })).any
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), fc.dictionary(place, value), (source, fields) => {
        const report = { ...fields, t: 1, source }
        const text = JSON.stringify(redact([report]))
        expect(text).not.toMatch(/Canary|bird|4711/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('[CM2] tells that a session is in a loop and what becomes of its turn, and not why', () => {
    const facet = { state: 'ACTIVE', iteration: 3, max: 10, hold: 'paused: Canary', until: null }
    const report = { t: 1, source: 'loop', session: 'x-1', loop: facet, turn: 'let' } as const
    const { hold, ...rest } = one(report).loop as unknown as Record<string, unknown>
    expect(one(report)).toMatchObject({ session: 'x-1', turn: 'let' })
    expect(rest).toEqual({ state: 'ACTIVE', iteration: 3, max: 10, until: null })
    expect(hold).toMatch(/^paused: \[hidden \d+\]$/)
    expect(replayedChanges(redact([report]))).toBe(replayedChanges([report]))
  })

  it('takes any JSON at all, and translate takes what comes of it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        for (const report of redact([{ ...fields, t: 1, source: 'hook' }])) translateClaude(report)
      }),
    )
  })
})

describe('an agent without rules', () => {
  it('[AG8] keeps only what vigil itself wrote', () => {
    const report = { t: 1, source: 'hook', agent: 'nobody', session: 'x-1', cwd: '/srv/secret' }
    const payload = { session_id: 'x-1', status: 'idle', tool_name: 'Bash', said: 'Canary' }
    const told = one({ ...report, payload } as Report)
    expect(told).toMatchObject({ t: 1, source: 'hook', session: 'x-1' })
    expect(JSON.stringify(told)).not.toMatch(/Canary|secret|idle|Bash|nobody/)
    expect(one({ ...report, agent: 'claude', payload } as Report).payload).toMatchObject({
      status: 'idle',
      tool_name: 'Bash',
    })
  })
})

describe('what is kept', () => {
  const hook = (payload: object): Report => ({ t: 1, source: 'hook', payload })

  it('equal texts stay equal and different ones different', () => {
    const input = (command: string, timeout: number) => hook({ tool_input: { command, timeout } })
    const [a, b, c, d] = redact([input('ls', 1), input('ls', 1), input('rm', 1), input('ls', 2)])
    expect(a).toEqual(b)
    expect(c).not.toEqual(a)
    expect(d).not.toEqual(a)
  })

  it('the sentence of an interrupt is, as is the name of a task that ended', () => {
    const sentence = '[Request interrupted by user for tool use]'
    const content = [{ type: 'text', text: sentence }]
    const entry = { type: 'user', sessionId: 's', message: { content } }
    expect(one({ t: 1, source: 'transcript', entry }).entry).toEqual(entry)
    const prompt = '<task-notification>\n<task-id>b1</task-id>\nthe summary'
    const payload = { hook_event_name: 'UserPromptSubmit', prompt }
    expect(translateClaude(redact([hook(payload)])[0] as Report)).toContainEqual(
      expect.objectContaining({ kind: 'turn-started', by: 'task' }),
    )
    const background = { background_tasks: [{ id: 'b1', status: 'running', type: 'shell' }] }
    const [, told] = redact([hook(background), hook(payload)])
    expect(JSON.stringify(told)).toMatch(/<task-id>b1<.*hidden/)
  })

  it('why a turn died is, why a tool failed is not', () => {
    const error = 'rate_limit'
    expect(one(hook({ hook_event_name: 'StopFailure', error })).payload).toMatchObject({ error })
    expect(one(hook({ hook_event_name: 'PostToolUseFailure', error })).payload).not.toMatchObject({
      error,
    })
  })

  it('a transcript’s folder stays that of its working folder', () => {
    const cwd = '/home/ada/secret project'
    const path = '/home/ada/.claude/projects/-home-ada-secret-project/s1.jsonl'
    const [told] = redact([hook({ session_id: 's1', cwd, transcript_path: path })])
    const payload = told?.payload as { cwd: string; transcript_path: string }
    expect(payload.cwd).toMatch(/^\/home\/h\d+\/h\d+$/)
    expect(payload.transcript_path).toContain(
      `/.claude/projects/${payload.cwd.replaceAll('/', '-')}/s1.jsonl`,
    )
  })

  it('a pane keeps its server, whatever that is called', () => {
    const env = { tmux: '/tmp/tmux-1000/work,12,0', tmuxPane: '%3' }
    const reports: Report[] = [
      { t: 1, source: 'hook', env, payload: { session_id: 's', hook_event_name: 'Stop' } },
      { t: 2, source: 'screen', pane: '/tmp/tmux-1000/work:%3', text: '❯ ' },
    ]
    const [hooked, seen] = redact(reports).map((report) => translateClaude(report)[0]?.about.pane)
    expect(hooked).toMatch(/^\/tmp\/h\d+\/h\d+:%3$/)
    expect(seen).toBe(hooked)
  })

  it('typing is seen although what is typed is not', () => {
    const rule = '─'.repeat(40)
    const screen = (typed: string) => `${rule}\n❯ ${typed}\n${rule}`
    const hidden = new Hidden()
    const [a, b, empty] = ['cat', 'dog', ''].map((typed) =>
      redactScreen(screen(typed), hidden, rulesOf('claude')),
    )
    expect(a).not.toBe(b)
    expect(a).not.toContain('cat')
    expect(empty).toBe(screen(''))
  })
})
