import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../test/support/scene.ts'
import { ATTENTION_DEFAULT } from './attention.ts'
import { judgementOf } from './judge.ts'
import { LONG_TALK_MS } from './limits.ts'

const idle = () => new Scene({ pane: '%1' }).start().wait(1_000)
const working = () => idle().prompt().wait(1_000)
const did = (tool: string) => working().tool(tool).wait(500).toolDone(tool).wait(500)
const waiting = () => working().tool('Bash').wait(500).asks('Bash').wait(500)
const failed = () => working().hook('StopFailure', { error: 'overloaded' })
const unread = (scene: Scene) => scene.verdict().unread
const typing = (scene: Scene) => scene.verdict().typing

const CALLING: readonly [string, () => Scene][] = [
  ['waiting', waiting],
  ['error', failed],
  ['stuck', () => working().wait(120_000)],
  ['idle', () => did('Edit').stop()],
]

describe('unread', () => {
  it.each(CALLING)('[A1] entering %s makes a session unread', (state, reach) => {
    const scene = reach()
    expect(scene.verdict().state).toBe(state)
    expect(unread(scene)).toBe(true)
    expect(unread(scene.wait(600_000))).toBe(true)
  })

  it('[A1] a second question after the first was looked at is unread again', () => {
    const scene = waiting().look().wait(1_000)
    expect(unread(scene)).toBe(false)
    scene.toolDone('Bash').wait(1_000).asks('Write')
    expect(unread(scene)).toBe(true)
  })

  it.each(CALLING.filter(([state]) => state !== 'stuck'))(
    '[A2] looking at %s makes it read, and it stays read',
    (state, reach) => {
      const scene = reach().wait(1_000).look()
      expect([scene.verdict().state, unread(scene)]).toEqual([state, false])
      expect(unread(scene.wait(600_000))).toBe(false)
    },
  )

  it('[A2] a prompt typed into it makes it read', () => {
    expect(unread(did('Edit').stop().wait(1_000).prompt('more'))).toBe(false)
    // Looking before the event does not count as having seen the event.
    expect(unread(working().look().wait(1_000).hook('StopFailure', { error: 'x' }))).toBe(true)
  })

  it("[A2] a task's notice is no look of the user: the end of its turn notifies", () => {
    const note = '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>'
    expect(unread(did('Edit').stop().wait(1_000).prompt(note).wait(1_000).stop())).toBe(true)
  })

  it.each<[string, () => Scene]>([
    ['idle:start', idle],
    ['idle:talk', () => did('Read').stop()],
    ['idle:interrupt', () => did('Edit').interrupted()],
    [
      'idle:compact',
      () => {
        const scene = idle().hook('PreCompact', { trigger: 'manual' }).wait(5_000)
        return scene.hook('PostCompact', { trigger: 'manual' })
      },
    ],
  ])('[A3] %s does not notify', (state, reach) => {
    const scene = reach()
    expect([scene.state(), unread(scene)]).toEqual([state, false])
  })
})

describe('the end of mere talk', () => {
  const talked = (ms: number, last = 'It is so.') => {
    const scene = idle().prompt().wait(ms)
    return scene.stop({ last_assistant_message: last })
  }
  const by = (scene: Scene, attention: Partial<typeof ATTENTION_DEFAULT>) => {
    const facts = scene.sessions.facts(scene.session)
    const set = { ...ATTENTION_DEFAULT, ...attention }
    return facts && judgementOf(facts, scene.now, set).verdict.unread
  }

  it('[A7] calls where the turn took longer than a minute', () => {
    expect(talked(LONG_TALK_MS).state()).toBe('idle:talk')
    expect(unread(talked(LONG_TALK_MS))).toBe(false)
    const long = talked(LONG_TALK_MS + 1)
    expect([long.state(), unread(long)]).toEqual(['idle:talk', true])
    expect(unread(long.wait(1_000).look())).toBe(false)
  })

  it.each([
    ['Shall I open the pull request?', true],
    ['I could do **both**. Which one *would you like?*', true],
    ['(Or is it meant?)\n', true],
    ['どちらにしますか？', true],
    ['Why? Since it was late.', false],
    ['It is done.', false],
    ['', false],
  ])('[A7] calls where it ended with a question: %s', (last, calls) => {
    expect(unread(talked(1_000, last))).toBe(calls)
  })

  it('[A7] a question of an earlier turn calls no more', () => {
    const scene = talked(1_000, 'Shall I?').wait(1_000).prompt('yes').wait(1_000)
    expect(unread(scene.hook('Stop', { background_tasks: [] }))).toBe(false)
  })

  it('[A7] can be set', () => {
    const [long, asking] = [talked(120_000), talked(1_000, 'Shall I?')]
    expect(by(long, { longTalkMs: undefined })).toBe(false)
    expect(by(long, { longTalkMs: 180_000 })).toBe(false)
    expect(by(talked(30_000), { longTalkMs: 20_000 })).toBe(true)
    expect(by(asking, { questions: false })).toBe(false)
  })

  it('[LP87] in a loop that goes on calls only when its session stands', () => {
    const loop = { state: 'ACTIVE', iteration: 1, max: 10, hold: null, until: null }
    const scene = idle().prompt().wait(1_000)
    scene
      .report('loop', { session: scene.session, loop })
      .wait(10)
      .stop({ last_assistant_message: 'Shall I?' })
    expect(unread(scene)).toBe(false)
  })
})

describe('typing', () => {
  const types = (scene: Scene) =>
    scene.screen(screens.prompt('f')).wait(500).screen(screens.prompt('fi'))

  it('[A4] holds while the input line changes, and three seconds longer', () => {
    const scene = types(idle())
    expect(typing(scene)).toBe(true)
    expect(typing(scene.wait(2_999))).toBe(true)
    expect(typing(scene.wait(1))).toBe(false)
    expect(typing(scene.screen(screens.prompt('fix')))).toBe(true)
  })

  it('[A4] a line that stands still, or is emptied, is not typing', () => {
    const still = idle().screen(screens.prompt('fix')).wait(1_000).screen(screens.prompt('fix'))
    expect(typing(still)).toBe(false)
    expect(typing(still.wait(1_000).screen(screens.prompt('')))).toBe(false)
  })

  it('[A4] stands beside idle and waiting', () => {
    expect(types(did('Edit').stop().wait(1_000)).verdict()).toMatchObject({
      state: 'idle',
      typing: true,
    })
    expect(waiting().key('n').verdict()).toMatchObject({ state: 'waiting', typing: true })
  })

  it('[A4] never while working or in error', () => {
    expect(working().key('x').verdict()).toMatchObject({ state: 'working', typing: false })
    expect(failed().wait(500).key('x').verdict()).toMatchObject({ state: 'error', typing: false })
  })

  it('[A4] ends with the prompt that was typed', () => {
    const scene = types(idle()).wait(500).prompt('fix')
    expect(typing(scene)).toBe(false)
    // The turn ends within the three seconds: the typed text was sent.
    expect(typing(scene.wait(1_000).stop())).toBe(false)
  })
})
