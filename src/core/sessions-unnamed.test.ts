import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../test/support/scene.ts'
import { SESSIONS_MAX } from './limits.ts'
import { Sessions } from './sessions.ts'
import type { Happening, Signal } from './signal.ts'

const ids = (scene: Scene) => [...scene.sessions.ids()]

describe('a process without a session', () => {
  it('[L4] stands under its own name until a session is named for it', () => {
    const scene = new Scene().process(true).wait(1_000)
    expect(ids(scene)).toEqual(['process:4711'])
    expect(scene.start().state()).toBe('idle:start')
    expect(ids(scene)).toEqual(['session-1'])
    expect(scene.wait(1_000).process(false).state()).toBe('closed')
  })

  it('[L4] by folder alone, where the one that names it knows no pid', () => {
    const scene = new Scene().process(true).wait(1_000).typed('hi')
    expect(ids(scene)).toEqual(['session-1'])
    expect(scene.wait(1_000).process(false).state()).toBe('closed')
  })

  it('[L4] of two such processes in one folder a folder names neither', () => {
    const scene = new Scene().process(true).process(true, '100', 'claude', 5_000).wait(1_000)
    expect(ids(scene.typed('hi'))).toEqual(['process:4711', 'process:5000', 'session-1'])
    // The client's report does, by its pid.
    expect(ids(scene.registry('busy'))).toEqual(['process:5000', 'session-1'])
  })

  it('[L4] is not taken for a client when its command is another', () => {
    expect(ids(new Scene().process(true, '100', 'vim'))).toEqual([])
  })

  const ended = () => {
    const scene = new Scene().start().wait(1_000).prompt().wait(1_000).stop().wait(1_000)
    return scene.hook('SessionEnd', { reason: 'other' }).process(false)
  }

  it('[L4] where a session ended within the last minute it is that session resumed', () => {
    const scene = ended().wait(59_999).process(true, '300', 'claude', 5_000)
    expect(ids(scene)).toEqual(['session-1'])
    expect(scene.state()).toBe('idle:start')
  })

  it('[L4] where it ended longer ago it stands under its own name', () => {
    const scene = ended().wait(60_000).process(true, '300', 'claude', 5_000)
    expect(ids(scene)).toEqual(['session-1', 'process:5000'])
    expect(scene.state()).toBe('closed')
  })

  it('[L4] [C6] resume names it: the old id in the new process', () => {
    const scene = ended().wait(600_000).process(true, '300', 'claude', 5_000).wait(1_000)
    const again = new Scene({ pid: 5_000 }, scene).start('resume')
    expect(ids(again)).toEqual(['session-1'])
    expect(again.state()).toBe('idle:start')
  })

  it('[X9] a registry file without a status names a process and no session', () => {
    const scene = new Scene().registry(undefined).wait(500)
    expect(ids(scene)).toEqual(['process:4711'])
    expect(scene.state('process:4711')).toBe('starting')
    // The client drops the id it wrote first and continues under another.
    const resumed = new Scene({ session: 'old-one' }, scene).registry('idle')
    expect(ids(resumed)).toEqual(['old-one'])
    expect(resumed.verdict().state).toBe('idle')
  })
})

describe('a screen without a session', () => {
  it('[L6] and a session without a screen are the same', () => {
    const scene = new Scene().typed('hi').wait(1_000).screen(screens.permission())
    expect(ids(scene)).toEqual(['session-1'])
    expect(scene.state()).toBe('waiting:permission')
  })

  it('[L6] whichever is seen first', () => {
    const scene = new Scene().screen(screens.prompt()).wait(1_000)
    expect(ids(scene)).toEqual(['pane:%0'])
    expect(ids(scene.typed('hi'))).toEqual(['session-1'])
    expect(scene.wait(1_000).screen(screens.permission()).state()).toBe('waiting:permission')
  })

  it('[L6] of two sessions without a screen, neither is', () => {
    const scene = new Scene().typed('hi').wait(500)
    const two = new Scene({ session: 'session-2' }, scene).typed('ho').wait(500)
    two.screen(screens.permission())
    expect(ids(two)).toEqual(['session-1', 'session-2', 'pane:%0'])
    expect([two.state('session-1'), two.state()]).toEqual(['working', 'working'])
  })

  it('[L6] a screen that shows no client is no session', () => {
    expect(ids(new Scene().screen(screens.shell()))).toEqual([])
  })
})

describe('very many sessions', () => {
  const said = (session: string, at: number, what: Happening): Signal => ({
    ...what,
    at,
    source: 'hook',
    about: { agent: 'claude', session },
  })
  const full = () => {
    const sessions = new Sessions()
    for (let i = 0; i < SESSIONS_MAX; i++)
      sessions.take(said(`s${i}`, i, { kind: 'opened', how: 'startup' }))
    return sessions
  }

  it('[F1] up to the limit none is lost', () => {
    const sessions = full()
    expect([...sessions.ids()].length).toBe(20_000)
    expect(sessions.facts('s0')).toBeDefined()
  })

  it('[F1] beyond it the oldest finished goes first', () => {
    const sessions = full()
    for (const [id, at] of [
      ['s70', 30_000],
      ['s80', 31_000],
    ] as const)
      sessions.take(said(id, at, { kind: 'left', how: 'other' }))
    for (const [i, gone] of ['s70', 's80', 's0'].entries()) {
      expect(sessions.facts(gone)).toBeDefined()
      sessions.take(said(`new${i}`, 40_000 + i, { kind: 'opened', how: 'startup' }))
      expect(sessions.facts(gone)).toBeUndefined()
      expect([...sessions.ids()].length).toBe(20_000)
    }
  })
})
