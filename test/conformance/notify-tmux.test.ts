import { describe, expect, it } from 'vitest'
import { toolSigns } from '../../src/agents/claude/tool-signs.ts'
import {
  type NotifyMode,
  type NotifyView,
  notifyTmux,
  toolEmoji,
} from '../../src/core/vocabulary/notify-tmux.ts'
import { Scene, screens } from '../support/scene.ts'

const SECOND = 1_000

/** The view at the end of a turn: its own mode is stop-only. */
function view(
  scene: Scene,
  mode: NotifyMode = 'stop-only',
  focused = false,
): NotifyView | undefined {
  return notifyTmux(scene.verdict(), scene.now, mode, focused, toolSigns.document)
}

const state = (scene: Scene) => view(scene)?.state

const LAUNCHED = { tool_response: { status: 'async_launched', agentId: 'agent-a' } }
const RUNNING = {
  background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'running', description: 'look' }],
}
const NOTICE = '<task-notification>\n<task-id>agent-a</task-id>\n<status>completed</status>'
const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }

const idle = () => new Scene().start().wait(5 * SECOND)

/** Turns, each on top of whatever came before. */
const turns = {
  task: (scene: Scene) =>
    scene
      .prompt()
      .wait(SECOND)
      .tool('Agent', { tool_use_id: `call-${scene.now}` })
      .hook('SubagentStart', AGENT)
      .wait(SECOND)
      .toolDone('Agent', `call-${scene.now - SECOND}`, LAUNCHED)
      .wait(SECOND)
      .stop(RUNNING),
  work: (scene: Scene) => tooled(scene, 'Edit').stop(),
  talk: (scene: Scene) => scene.prompt().wait(SECOND).stop(),
}

function tooled(scene: Scene, ...tools: string[]): Scene {
  scene.prompt().wait(SECOND)
  for (const tool of tools) scene.tool(tool).wait(SECOND).toolDone(tool).wait(SECOND)
  return scene
}

const base = () => turns.talk(idle()).wait(SECOND)
const completed = () => turns.work(idle()).wait(SECOND)
const busy = () => turns.task(idle()).wait(SECOND)

describe('notify-tmux: from IDLE', () => {
  it('[SN1] IDLE → WORKING: a turn that started a subagent ends while it runs', () => {
    expect(state(idle())).toBe('IDLE')
    expect(view(turns.task(idle()))).toMatchObject({ state: 'WORKING', emoji: '🤖⚙️' })
  })

  it('[SN2] IDLE → COMPLETED: a turn with visible work ends', () => {
    expect(view(turns.work(idle()))).toMatchObject({ state: 'COMPLETED', emoji: '🤖✅' })
  })

  it('[SN3] IDLE → BASE: a turn without visible work ends', () => {
    expect(view(turns.talk(idle()))).toMatchObject({ state: 'BASE', emoji: '🤖' })
  })

  it('[SN1] [SN2] [SN3] an IDLE that time brought is left like the first one', () => {
    const old = () => completed().wait(1_801 * SECOND)
    expect(state(old())).toBe('IDLE')
    expect(state(turns.task(old()))).toBe('WORKING')
    expect(state(turns.work(old()))).toBe('COMPLETED')
    expect(state(turns.talk(old()))).toBe('BASE')
  })
})

describe('notify-tmux: from WORKING', () => {
  it('[SN4] WORKING → COMPLETED: the task ends and is reported', () => {
    const scene = busy().hook('SubagentStop', AGENT).wait(SECOND).prompt(NOTICE)
    expect(state(scene)).toBeUndefined()
    expect(state(scene.wait(SECOND).stop())).toBe('COMPLETED')
  })

  it('[SN5] WORKING → WORKING: a turn ends while the task still runs', () => {
    const scene = tooled(busy(), 'Edit')
    expect(state(scene.stop(RUNNING))).toBe('WORKING')
    expect(state(scene.wait(SECOND).prompt().wait(SECOND).stop(RUNNING))).toBe('WORKING')
  })

  it('[SN5] WORKING does not end by time', () => {
    expect(state(busy().wait(1_801 * SECOND))).toBe('WORKING')
  })
})

describe('notify-tmux: from COMPLETED and BASE', () => {
  it('[SN6] COMPLETED is left at 1801 s, not at 1800 s', () => {
    const scene = turns.work(idle()).wait(1_800 * SECOND)
    expect(state(scene)).toBe('COMPLETED')
    expect(scene.nextLook()).toBeLessThanOrEqual(scene.now + SECOND)
    expect(view(scene.wait(SECOND))).toMatchObject({ state: 'IDLE', emoji: '🤖✅' })
  })

  it('[SN7] BASE is left at 1801 s, not at 1800 s', () => {
    const scene = turns.talk(idle()).wait(1_800 * SECOND)
    expect(state(scene)).toBe('BASE')
    expect(scene.nextLook()).toBeLessThanOrEqual(scene.now + SECOND)
    expect(view(scene.wait(SECOND))).toMatchObject({ state: 'IDLE', emoji: '🤖✅' })
  })

  it('[SN8] BASE → WORKING: a turn that started a subagent ends while it runs', () => {
    expect(state(base())).toBe('BASE')
    expect(state(turns.task(base()))).toBe('WORKING')
  })

  it('[SN9] BASE → COMPLETED: a turn with visible work ends', () => {
    expect(state(turns.work(base()))).toBe('COMPLETED')
  })
})

describe('notify-tmux: what counts as visible work', () => {
  it.each(['Read', 'Grep', 'Glob'])('[SN10] %s alone is none', (tool) => {
    expect(state(tooled(idle(), tool).stop())).toBe('BASE')
  })

  it('[SN10] all three together are none, with one more tool they are', () => {
    expect(state(tooled(idle(), 'Read', 'Grep', 'Glob').stop())).toBe('BASE')
    expect(state(tooled(idle(), 'Read', 'Bash', 'Grep').stop())).toBe('COMPLETED')
  })

  it('[SN10] the work of an earlier turn is not that of the next', () => {
    expect(state(tooled(completed(), 'Read').stop())).toBe('BASE')
  })
})

describe('notify-tmux: variables', () => {
  const variables = (scene: Scene) => Object.values(view(scene, 'real-time')?.variables ?? {})

  it('[SN11] the second of completion stands in COMPLETED, and stays while it lasts', () => {
    const scene = turns.work(idle()).wait(300)
    const second = String(Math.floor((scene.now - 300) / 1_000))
    expect(variables(scene)).toEqual(['false', second])
    expect(variables(scene.wait(1_700 * SECOND))).toEqual(['false', second])
    expect(variables(scene.wait(101 * SECOND))).toEqual(['false', ''])
  })

  it('[SN11] a part of a second is cut off, not rounded up', () => {
    const scene = turns.work(idle().wait(999))
    expect(variables(scene)).toEqual(['false', String((scene.now - 999) / 1_000)])
  })

  it('[SN11] the agent runs in WORKING, and nothing is completed', () => {
    expect(variables(busy())).toEqual(['true', ''])
  })

  it.each<[string, () => Scene]>([
    ['IDLE', idle],
    ['BASE', base],
    ['ACTIVE_UNFOCUSED', () => completed().prompt().wait(SECOND)],
    ['ALERT', () => completed().prompt().wait(SECOND).asks('Bash')],
  ])('[SN11] both are bare in %s', (name, reach) => {
    expect(view(reach(), 'real-time')?.state).toBe(name)
    expect(variables(reach())).toEqual(['false', ''])
  })
})

describe('notify-tmux: real-time mode', () => {
  const tool = (name: string) => idle().prompt().wait(SECOND).tool(name).wait(SECOND)

  it('[SN12] in sight the name is left alone, but for thinking', () => {
    const leaves = { state: 'ACTIVE_FOCUSED', emoji: undefined }
    expect(view(tool('Bash'), 'real-time', true)).toMatchObject(leaves)
    expect(view(tool('Edit'), 'real-time', true)).toMatchObject(leaves)
    const thinks = { state: 'ACTIVE_FOCUSED', emoji: '🤖💭' }
    expect(view(tool('mcp__db__query'), 'real-time', true)).toMatchObject(thinks)
    expect(view(idle().prompt().wait(SECOND), 'real-time', true)).toMatchObject(thinks)
  })

  it('[SN12] in sight an alert shows as well', () => {
    const scene = tool('Bash').asks('Bash')
    expect(view(scene, 'real-time', true)).toMatchObject({ state: 'ALERT', emoji: '🤖🚨' })
  })

  it("[SN13] out of sight the tool's emoji shows, tool by tool", () => {
    const scene = idle().prompt().wait(SECOND)
    const shown = ['Read', 'Edit', 'Bash'].map((name) => {
      const emoji = view(scene.tool(name).wait(SECOND), 'real-time')?.emoji
      scene.toolDone(name).wait(SECOND)
      return emoji
    })
    expect(shown).toEqual(['🤖🔍', '🤖✏️', '🤖🧪'])
    expect(view(scene, 'real-time')).toMatchObject({ state: 'ACTIVE_UNFOCUSED', emoji: '🤖💭' })
    expect(view(scene.stop(), 'real-time')?.state).toBe('COMPLETED')
  })

  const menu = ' Settings\n\n ❯ 1. Theme\n   2. Model\n\n Esc to cancel\n'
  it.each<[string, (scene: Scene) => Scene]>([
    ['permission', (scene) => scene.prompt().wait(SECOND).asks('Bash')],
    ['question', (scene) => scene.prompt().wait(SECOND).tool('AskUserQuestion')],
    ['plan', (scene) => scene.prompt().wait(SECOND).tool('ExitPlanMode')],
    ['dialog', (scene) => scene.screen(screens.prompt()).wait(SECOND).screen(menu)],
  ])('[SN14] waiting for a %s is ALERT', (kind, happen) => {
    const scene = happen(idle())
    expect(scene.state()).toBe(`waiting:${kind}`)
    for (const focused of [true, false])
      expect(view(scene, 'real-time', focused)).toMatchObject({ state: 'ALERT', emoji: '🤖🚨' })
  })
})

const BOTH = {
  AskUserQuestion: '🚨',
  Edit: '✏️',
  Bash: '🧪',
  Read: '🔍',
  Grep: '🔍',
  Glob: '🔍',
  WebSearch: '🌐',
  WebFetch: '🌐',
  Skill: '🎯',
  SlashCommand: '⚡',
  TaskOutput: '📤',
  mcp__db__query: '💭',
  // No tool, but names that every object knows.
  constructor: '💭',
  toString: '💭',
}

const SETS: Record<keyof typeof toolSigns, Record<string, string>> = {
  document: { ...BOTH, Write: '📝', TodoWrite: '⚙️', Task: '🎯', Agent: '🎯', NotebookEdit: '💭' },
  script: { ...BOTH, Write: '✏️', TodoWrite: '📝', Task: '⚙️', Agent: '⚙️', NotebookEdit: '✏️' },
}

describe('notify-tmux: emoji', () => {
  it.each(Object.entries(SETS.document))('[SN15] document: %s %s', (name, emoji) => {
    expect(toolEmoji(name, toolSigns.document)).toBe(emoji)
    expect(shownFor(name, 'document')).toBe(`🤖${emoji}`)
  })

  it.each(Object.entries(SETS.script))('[SN15] script: %s %s', (name, emoji) => {
    expect(toolEmoji(name, toolSigns.script)).toBe(emoji)
    expect(shownFor(name, 'script')).toBe(`🤖${emoji}`)
  })

  it('[SN15] no tool is 💭 in both', () => {
    for (const signs of [toolSigns.document, toolSigns.script, {}])
      expect(toolEmoji(undefined, signs)).toBe('💭')
  })

  function shownFor(name: string, set: keyof typeof toolSigns): string | undefined {
    const scene = idle().prompt().wait(SECOND).tool(name).wait(SECOND)
    return notifyTmux(scene.verdict(), scene.now, 'real-time', false, toolSigns[set])?.emoji
  }
})

describe('notify-tmux: stop-only mode', () => {
  it.each<[string, () => Scene]>([
    ['IDLE', idle],
    ['COMPLETED', completed],
    ['BASE', base],
  ])('[SN16] from %s nothing changes in the middle of a turn', (name, reach) => {
    const scene = reach()
    expect(state(scene)).toBe(name)
    expect(view(scene.prompt().wait(SECOND))).toBeUndefined()
    expect(view(scene.tool('Bash').wait(SECOND))).toBeUndefined()
    expect(view(scene.asks('Bash').wait(SECOND))).toBeUndefined()
    expect(view(scene.toolDone('Bash').wait(SECOND))).toBeUndefined()
    expect(view(scene.wait(600 * SECOND))).toBeUndefined()
    expect(state(scene.stop())).toBe('COMPLETED')
  })

  it('[SN16] WORKING is left as it is in the middle of a turn', () => {
    const scene = busy()
    expect(state(scene)).toBe('WORKING')
    expect(view(scene.prompt().wait(SECOND))).toBeUndefined()
    expect(view(scene.tool('Bash').wait(SECOND).asks('Bash'))).toBeUndefined()
  })

  it('[SN16] a subagent that the turn itself starts changes nothing before its end', () => {
    const scene = idle().prompt().wait(SECOND).tool('Agent').hook('SubagentStart', AGENT)
    expect(view(scene.wait(SECOND))).toBeUndefined()
    expect(state(scene.stop(RUNNING))).toBe('WORKING')
  })
})
