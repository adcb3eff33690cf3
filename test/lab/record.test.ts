import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_KEY } from '../../lab/model/key.ts'
import { say } from '../../lab/model/script.ts'
import { type Played, playConversation } from '../../lab/play.ts'
import { PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { readRecording } from '../../src/recording/read.ts'
import { truthOf } from '../../src/recording/truth.ts'

/** Longer than what is kept of a text. */
const LONG = 'word '.repeat(200)

describe('a recording of the real client', () => {
  let played: Played
  let lines: readonly RecordedLine[]

  beforeAll(async () => {
    played = await playConversation({
      name: 'recorded',
      shows: 'A command is allowed, and the client is left.',
      model: (talk) => talk.on('touch', say(LONG), TOUCH).next(say('All done.')),
      async user(run) {
        const claude = await run.claude()
        await claude.submit('touch it')
        await claude.becomes('waiting')
        await run.hook('PermissionRequest')
        await claude.answer(PERMISSION, 'Enter')
        await claude.becomes('idle')
        await claude.submit('/exit')
        await claude.becomes('closed')
      },
    })
    lines = readRecording('recorded', played.text).lines
  })

  const of = (source: string) => lines.filter((line) => line.source === source)

  it('was played to its end', () => {
    expect(played.failed).toBeUndefined()
    expect(lines[0]).toMatchObject({ source: 'meta', plan: 'recorded', version: '2.1.325' })
  })

  it('holds what every source told, in order of arrival', () => {
    const states = truthOf(lines).map(({ state }) => state)
    expect(states).toEqual(['idle', 'working', 'waiting', 'working', 'idle', 'closed'])
    const events = of('hook').map(({ payload }) => (payload as Fields).hook_event_name)
    expect(events).toEqual(
      expect.arrayContaining(['SessionStart', 'PermissionRequest', 'Stop', 'SessionEnd']),
    )
    expect(of('transcript').length).toBeGreaterThan(3)
    expect(of('statusline').length).toBeGreaterThan(0)
    expect(of('process').map(({ alive }) => alive)).toEqual([true, false])
    expect(of('screen').some(({ text }) => PERMISSION.test(String(text)))).toBe(true)
    expect(lines.map(({ t }) => t)).toEqual(lines.map(({ t }) => t).toSorted((a, b) => a - b))
  })

  it('holds what its user did', () => {
    const done = of('action').map(({ what, value }) => `${what} ${value}`)
    expect(done.slice(1)).toEqual([
      ...['text touch it', 'submit touch it', 'key Enter', 'text /exit', 'submit /exit'],
    ])
  })

  it('names the client’s process and pane in every hook', () => {
    const [{ pid }] = of('process') as [RecordedLine]
    for (const { env } of of('hook')) expect(env).toMatchObject({ ppid: pid, tmuxPane: '%0' })
  })

  it('keeps no folder of the machine, no key, no long text and no listing', () => {
    expect(played.text).not.toMatch(/vigil-lab-/)
    expect(played.text).not.toContain(FAKE_KEY)
    expect(played.text).not.toMatch(/"type":"(attachment|file-history|skill)/)
    expect(played.text).not.toContain(LONG)
    expect(played.text).toContain('…')
  })
})

describe('a conversation that goes wrong', () => {
  it('says what it waited for, shows the screen, and keeps what was recorded', async () => {
    const { failed, lines } = await playConversation({
      name: 'wrong',
      shows: 'A prompt the script does not know.',
      async user(run) {
        const claude = await run.claude()
        await claude.submit('touch it')
        await claude.becomes('waiting', { withinMs: 2_000 })
      },
    })
    expect(failed?.message).toMatch(/^wrong: waited 2000 ms in vain for the client to be waiting/)
    expect(failed?.message).toContain('❯ touch it')
    expect(lines.length).toBeGreaterThan(10)
  })

  it('says that the script has no answer', async () => {
    const { failed } = await playConversation({
      name: 'unscripted',
      shows: 'A prompt the script does not know.',
      async user(run) {
        const claude = await run.claude()
        await claude.submit('touch it')
        await claude.becomes('idle')
      },
    })
    expect(failed?.message).toMatch(/^unscripted: the script has no reply .* to touch it/)
  })
})

interface Fields {
  readonly hook_event_name?: unknown
}
