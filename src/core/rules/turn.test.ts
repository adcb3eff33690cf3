import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../../test/support/scene.ts'
import { nothingKnown } from '../facts.ts'
import { turnView } from './turn.ts'

const P1 = { prompt_id: 'p1' }
const P2 = { prompt_id: 'p2' }
const idle = () => new Scene({ pane: '%1' }).start().wait(1_000)
const working = () => idle().prompt('do it', P1).wait(1_000)
const did = () => working().tool('Edit', P1).wait(500).toolDone('Edit').wait(500)
const over = { type: 'system', subtype: 'turn_duration', durationMs: 1_000 }
const fed = {
  type: 'user',
  isMeta: true,
  message: { role: 'user', content: 'Stop hook feedback:\nrun the tests first' },
}

describe('before the first turn', () => {
  it('[T0] without any mark of a turn, no turn decides', () => {
    expect(turnView(nothingKnown('claude', 'x'))).toEqual({ since: 0, rule: 'T0' })
    expect(idle().hook('Notification').verdict().rule).toBe('T10')
  })

  it('[T10] a session opened is idle after start', () => {
    expect(idle().verdict()).toMatchObject({ state: 'idle', after: 'start', rule: 'T10' })
  })

  it('[T10] so is a process whose screen shows an input line', () => {
    const scene = new Scene().process(true).wait(1_000)
    expect(scene.screen(screens.prompt()).state('process:4711')).toBe('idle:start')
  })

  it('[T10] a resumed session is idle after start, whatever its last turn left open', () => {
    const scene = working().hook('SessionEnd', { reason: 'other' }).wait(5_000)
    expect(scene.start('resume').state()).toBe('idle:start')
  })

  it('[T11] a session of which only the status line was seen is starting', () => {
    expect(new Scene().statusline().verdict()).toMatchObject({ state: 'starting', rule: 'T11' })
  })

  it('[T11] a process without any word is starting', () => {
    const scene = new Scene().process(true).wait(1_000)
    expect(scene.verdict('process:4711')).toMatchObject({ state: 'starting', rule: 'T11' })
    // A screen that cannot be read says nothing either.
    expect(scene.screen(screens.shell()).state('process:4711')).toBe('starting')
  })
})

describe('a turn', () => {
  it('[T1] opens with a prompt and stays open without an end', () => {
    const scene = idle().prompt()
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T1', since: scene.now })
    expect(scene.tool('Bash').wait(3_600_000).state()).toBe('working')
  })

  it('[T1] a prompt that only the transcript tells opens it too', () => {
    expect(idle().typed('do it').state()).toBe('working')
  })

  it('[T2] a start after the end opens the next turn', () => {
    const scene = did().stop(P1).wait(1_000)
    expect(scene.prompt('next', P2).verdict()).toMatchObject({ state: 'working', rule: 'T1' })
  })

  it('[T2] the end of another turn, hardly later than the start, does not close it', () => {
    const scene = did().prompt('next', P2).wait(100).stop(P1)
    expect(scene.state()).toBe('working')
    expect(scene.wait(1_000).stop(P2).state()).toBe('idle:talk')
  })

  it('[T2] its own end closes a turn however short it was', () => {
    expect(idle().prompt('hi', P2).wait(100).stop(P2).state()).toBe('idle:talk')
  })

  it.each<[string, (scene: Scene) => Scene]>([
    ['Stop', (scene) => scene.stop(P1)],
    ["the transcript's last word", (scene) => scene.said('Done.')],
    ['the length of the turn', (scene) => scene.entry(over)],
  ])('[T3] %s ends it', (_what, end) => {
    const scene = end(did())
    expect(scene.verdict()).toMatchObject({ state: 'idle', after: 'work', rule: 'T3' })
    expect(scene.verdict().since).toBe(scene.now)
  })

  it('[T3] a message that goes on does not end it', () => {
    expect(did().said('First,', null).called('Bash', 'tool-2').state()).toBe('working')
  })

  it('[T4] an interrupt ends it', () => {
    expect(did().interrupted().verdict()).toMatchObject({
      state: 'idle',
      after: 'interrupt',
      rule: 'T4',
    })
  })

  it('[T4] the length of the turn written after it does not hide that', () => {
    const scene = did().interrupted().wait(600).entry(over)
    expect(scene.state()).toBe('idle:interrupt')
    // The next turn's end is another matter.
    scene.wait(1_000).prompt('go on', P2).wait(500).stop(P2)
    expect(scene.state()).toBe('idle:talk')
  })
})

describe('a prompt typed while working', () => {
  it('[T5] starts the next turn at the Stop when no batch was answered after it', () => {
    const scene = did().prompt('and then', P1).wait(1_000).stop(P1)
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T5' })
  })

  it('[T5] went along with a batch answered after it', () => {
    const scene = did().prompt('and then', P1).wait(1_000).hook('PostToolBatch')
    expect(scene.wait(1_000).stop(P1).state()).toBe('idle:work')
  })

  it('[T5] a batch answered before it takes it nowhere', () => {
    const scene = did().hook('PostToolBatch').wait(500).prompt('and then', P1)
    expect(scene.wait(1_000).stop(P1).state()).toBe('working')
  })

  it("[T5] the transcript's copy of the first prompt is no second one", () => {
    expect(did().typed('do it', 2_000, { promptId: 'p1' }).stop(P1).state()).toBe('idle:work')
  })
})

describe('work after an end', () => {
  it('[T6] reopens the turn: another hook blocked the Stop', () => {
    const scene = did().stop(P1).wait(1_000).tool('Bash', P1)
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T6' })
    expect(scene.wait(500).toolDone('Bash').wait(500).stop(P1).state()).toBe('idle:work')
  })

  it("[T6] another hook's feedback reopens it before any work", () => {
    const scene = did().stop(P1).wait(300).entry(fed)
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T6' })
  })

  it("[T6] the end of a tool is no work: it began before the turn's end", () => {
    expect(working().tool('Bash').stop(P1).wait(1_000).toolDone('Bash').state()).toBe('idle:work')
  })

  it('[T6] work of an interrupted turn, told late, does not reopen it', () => {
    const interrupted = () => did().interrupted(0, { promptId: 'p1' })
    expect(interrupted().wait(300).tool('Bash', P1).state()).toBe('idle:interrupt')
    expect(interrupted().wait(1_500).tool('Bash', P1).state()).toBe('idle:interrupt')
    expect(interrupted().wait(1_500).tool('Bash', P2).state()).toBe('working')
  })
})

describe('a compaction', () => {
  it('[T7] by hand is a turn that ends with it and without a Stop', () => {
    const scene = idle().hook('PreCompact', { trigger: 'manual' }).wait(20_000)
    expect(scene.state()).toBe('working')
    scene.hook('PostCompact', { trigger: 'manual' })
    expect(scene.verdict()).toMatchObject({ state: 'idle', after: 'compact', rule: 'T7' })
  })

  it('[T7] by hand, told by the transcript alone, ends the turn too', () => {
    const boundary = { subtype: 'compact_boundary', compactMetadata: { trigger: 'manual' } }
    const scene = idle().entry({ type: 'system', ...boundary })
    expect(scene.state()).toBe('idle:compact')
  })

  it('[T7] an automatic one ends nothing', () => {
    const auto = { trigger: 'auto' }
    const scene = working().hook('PreCompact', auto).wait(20_000).hook('PostCompact', auto)
    expect(scene.start('compact').wait(500).state()).toBe('working')
    const metadata = { subtype: 'compact_boundary', compactMetadata: auto }
    expect(scene.entry({ type: 'system', ...metadata }).state()).toBe('working')
  })
})

describe('a Stop that waits for word from its loop', () => {
  const asked = () => did().report('hook', stopOf({ asks: 1 }))
  const stopOf = (env: object) => ({
    env: { ppid: 4711, ...env },
    payload: { session_id: new Scene().session, hook_event_name: 'Stop', ...P1 },
  })
  const keeper = (turn: string) => ({ session: new Scene().session, turn })

  it('[T13] leaves its turn open, however long it takes', () => {
    const scene = asked()
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T13' })
    expect(scene.wait(500_000).state()).toMatch(/^working/)
    expect(did().report('hook', stopOf({})).state()).toBe('idle:work')
  })

  it('[T13] ends it when it is let, and not when it is kept', () => {
    expect(asked().wait(50).report('loop', keeper('let')).state()).toBe('idle:work')
    expect(asked().wait(50).report('loop', keeper('kept')).verdict()).toMatchObject({
      ...{ state: 'working', rule: 'T6' },
    })
  })

  it('[T13] hides no other end', () => {
    expect(asked().wait(50).interrupted().state()).toBe('idle:interrupt')
    expect(asked().wait(50).entry(over).state()).toBe('idle:work')
    expect(asked().wait(50).registry('idle').state()).toMatch(/^idle/)
    expect(asked().wait(50).process(false).state()).toMatch(/^closed/)
  })
})
