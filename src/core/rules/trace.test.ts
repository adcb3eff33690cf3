import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../../test/support/scene.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const LISTED = { background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'running' }] }
const idle = () => new Scene({ pane: '%1' }).start().wait(1_000)
const working = () => idle().prompt().wait(1_000)
const done = () => working().tool('Edit').wait(500).toolDone('Edit').wait(500).stop()
const menu = '❯ /model\n\n Select a model\n ❯ 1. Large\n   2. Small\n\n Esc to cancel\n'

describe('a spinner', () => {
  it("[T8] later than the end by more than a screen's lag is an unreported turn", () => {
    const scene = done().wait(601).screen(screens.working())
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T8', since: scene.now })
  })

  it('[T8] hardly later than the end is what is left of the turn that ended', () => {
    expect(done().wait(600).screen(screens.working()).state()).toBe('idle:work')
  })

  it('[T8] in a session without any turn is a turn too', () => {
    const scene = idle().screen(screens.working())
    expect(scene.verdict()).toMatchObject({ state: 'working', rule: 'T8' })
    // No source reported its end either: it is over when the spinner is gone.
    expect(scene.wait(500).screen(screens.prompt()).state()).toBe('idle:start')
  })
})

describe('background work on the screen', () => {
  const shown = screens
    .prompt()
    .replace(/^(─{20,})/m, '✻ Waiting for 1 background agent to finish\n\n$1')

  it('[T8] is believed of a session of which nothing else is known', () => {
    const scene = idle().screen(shown)
    expect(scene.verdict()).toMatchObject({ state: 'background', rule: 'T8', since: scene.now })
    expect(scene.wait(500).screen(screens.prompt()).state()).toBe('idle:start')
  })

  it('[T8] is not believed against an end that lists no task', () => {
    expect(done().wait(5_000).screen(shown).state()).toBe('idle:work')
  })

  it('[T8] is believed after an interrupt: a command may outlive its turn', () => {
    const before = working().screen(shown)
    expect(before.wait(200).interrupted().state()).toBe('idle:interrupt')
    const after = working().wait(200).interrupted().wait(100).screen(shown)
    expect(after.verdict()).toMatchObject({ state: 'background', rule: 'T8' })
  })
})

describe('a bare prompt', () => {
  const spinning = () => working().screen(screens.working()).wait(500)

  it('[T9] that has stood for a second ends a turn whose spinner was seen', () => {
    const scene = spinning().screen(screens.prompt())
    const since = scene.now
    expect(scene.wait(999).state()).toBe('working')
    expect(scene.wait(1).verdict()).toMatchObject({ rule: 'T9', since, after: 'interrupt' })
  })

  it('[T9] below an answer that may still be coming in ends nothing', () => {
    const scene = spinning().screen(screens.prompt('', '❯ do it\n\n● One, two,')).wait(60_000)
    expect(scene.state()).toBe('working')
    expect(scene.screen(screens.prompt()).wait(1_000).state()).toBe('idle:interrupt')
  })

  it('[T9] that stood for one look between two requests to the model does not', () => {
    const scene = spinning().screen(screens.prompt()).wait(200).screen(screens.working())
    expect(scene.wait(5_000).state()).toBe('working')
  })

  it('[T9] a spinner never recognised proves nothing by its absence', () => {
    expect(working().screen(screens.prompt()).wait(60_000).state()).toBe('working')
    const strange = screens.prompt('', '❯ do it\n\n◐ Musing… 3s')
    expect(working().screen(strange).wait(60_000).state()).toBe('working')
  })

  it('[T9] nor does the spinner of an earlier turn end this turn', () => {
    const scene = spinning().stop().wait(1_000).screen(screens.prompt()).wait(1_000).prompt('next')
    expect(scene.wait(1_000).screen(screens.prompt()).wait(60_000).state()).toBe('working')
    // Nor when the bare prompt has come back after a menu, and so is newer than the turn.
    scene.screen(menu).wait(1_000).screen(screens.prompt())
    expect(scene.wait(60_000).state()).toBe('working')
  })

  it('[T9] a tool begun after it opens the turn again', () => {
    const scene = spinning().screen(screens.prompt()).wait(2_000)
    expect(scene.state()).toBe('idle:interrupt')
    expect(scene.tool('Bash').state()).toBe('working')
  })
})

describe('a dialog on the screen', () => {
  it('[W9] that no other source told makes the session wait', () => {
    const scene = idle().screen(menu)
    expect(scene.verdict()).toMatchObject({ state: 'waiting', for: 'dialog', rule: 'W9' })
    expect(scene.wait(600_000).state()).toBe('waiting:dialog')
  })

  it('[W9] until the screen changes', () => {
    expect(idle().screen(menu).wait(1_000).screen(screens.prompt()).state()).toBe('idle:start')
    const allowed = working().screen(screens.permission()).wait(1_000)
    expect(allowed.state()).toBe('waiting:permission')
    expect(allowed.screen(screens.working()).state()).toBe('working')
  })

  it('[W9] or until something happens that cannot happen under it', () => {
    expect(idle().screen(menu).wait(1_000).prompt().state()).toBe('working')
    expect(working().screen(menu).wait(1_000).stop().state()).toBe('idle:talk')
    expect(working().screen(menu).wait(1_000).interrupted().state()).toBe('idle:interrupt')
  })

  it("[W9] a subagent's dialog stands while the main agent ends its turn", () => {
    const scene = working().hook('SubagentStart', AGENT).wait(500).screen(screens.permission())
    expect(scene.wait(1_000).stop(LISTED).state()).toBe('waiting:permission')
  })
})

describe('no user present, and no turn done', () => {
  const unattended = () => {
    const scene = new Scene()
    const file = { pid: scene.pid, sessionId: scene.session, entrypoint: 'sdk-cli' }
    const word = { status: 'busy', statusUpdatedAt: scene.now }
    return scene.report('registry', { pid: scene.pid, file: { ...file, ...word } }).wait(1_000)
  }

  it('[W11] an unattended session never waits for a request', () => {
    const scene = unattended().prompt().wait(500).tool('Bash').wait(500).asks('Bash')
    expect(scene.state()).toBe('working')
    expect(scene.wait(60_000).state()).toBe('working')
    // The same with a user present.
    expect(working().tool('Bash').wait(500).asks('Bash').state()).toBe('waiting:permission')
  })

  it('[B1] a turn that is over with tasks still running is background, not idle', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(500).stop(LISTED)
    expect(scene.verdict()).toMatchObject({ state: 'background', rule: 'B1', since: scene.now })
    expect(scene.wait(600_000).hook('SubagentStop', AGENT).state()).toBe('idle:talk')
  })
})
