import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translateClaude } from '../../src/agents/claude/translate.ts'
import { judge } from '../../src/core/judge.ts'
import { Sessions } from '../../src/core/sessions.ts'
import { claudeState } from '../../src/core/vocabulary/claude-state.ts'
import { Scene } from '../support/scene.ts'

const DAY_MS = 86_400_000
const said = (scene: Scene) => claudeState(scene.verdict())
const unread = (scene: Scene) => scene.verdict().unread
const idle = () => new Scene().start().wait(1_000)
const working = () => idle().prompt().wait(1_000)
const waiting = (tool = 'Bash') => working().tool(tool).wait(500).asks(tool).wait(500)
const stopped = () => working().tool('Edit').wait(500).toolDone('Edit').wait(500).stop()

const RUNNING = { id: 'agent-a', type: 'subagent', status: 'running', description: 'look' }
const subagent = { agent_id: 'agent-a', agent_type: 'Explore' }

function background(): Scene {
  const launched = { tool_response: { status: 'async_launched', agentId: 'agent-a' } }
  const scene = working().tool('Agent').hook('SubagentStart', subagent).wait(500)
  return scene
    .toolDone('Agent', 'tool-1', launched)
    .wait(500)
    .stop({ background_tasks: [RUNNING] })
}

/** Each of its states, by the shortest way there. */
const REACH: Readonly<Record<string, () => Scene>> = {
  idle,
  working,
  working_background: background,
  waiting_permission: () => waiting('Bash'),
  waiting_question: () => waiting('AskUserQuestion'),
  waiting_plan: () => waiting('ExitPlanMode'),
  stopped,
}

describe('claude-state: requests', () => {
  it.each([
    ['ExitPlanMode', 'waiting_plan'],
    ['AskUserQuestion', 'waiting_question'],
    ['Bash', 'waiting_permission'],
    ['mcp__db__query', 'waiting_permission'],
  ])('[SC1] PermissionRequest of %s → %s', (tool, state) => {
    expect(said(working().asks(tool))).toBe(state)
  })

  const KINDS = ['permission_prompt', 'idle_prompt', 'elicitation_dialog', 'auth_success', 'new']
  it.each(Object.entries(REACH))('[SC2] Notification changes nothing in %s', (state, reach) => {
    for (const notification_type of KINDS) {
      const scene = reach().wait(1_000)
      expect(said(scene)).toBe(state)
      scene.hook('Notification', { notification_type, message: 'Claude needs your permission' })
      expect(said(scene.wait(1_000))).toBe(state)
    }
  })

  it('[SC3] PostToolUse of another call leaves the request, that of its own takes it', () => {
    const scene = working().tool('Read').tool('Bash').wait(500).asks('Bash').wait(500)
    expect(said(scene.toolDone('Read', 'tool-1'))).toBe('waiting_permission')
    expect(said(scene.wait(500).toolDone('Bash', 'elsewhere', subagent))).toBe('waiting_permission')
    expect(said(scene.wait(500).toolDone('Bash', 'tool-2'))).toBe('working')
  })

  it('[SC3] of two calls of one tool, the end of the other leaves the request', () => {
    const call = (command: string) => ({ tool_input: { command } })
    const scene = working().tool('Bash', call('ls')).tool('Bash', call('rm a')).wait(500)
    scene.asks('Bash', call('rm a')).wait(500)
    expect(said(scene.toolDone('Bash', 'tool-1', call('ls')))).toBe('waiting_permission')
    expect(said(scene.wait(500).toolDone('Bash', 'tool-2', call('rm a')))).toBe('working')
  })

  const two = () => waiting('Bash').asks('Write').wait(500)
  it('[SC4] Stop clears every request of the main agent', () => {
    expect(said(two().stop())).toBe('stopped')
  })

  it('[SC4] UserPromptSubmit clears every request of the main agent', () => {
    expect(said(two().prompt('never mind'))).toBe('working')
  })

  it('[SC4] SessionEnd clears every request', () => {
    expect(said(two().hook('SessionEnd', { reason: 'other' }))).toBe('stopped')
  })

  it('[SC4] a request that SessionEnd cleared is not back when the session is', () => {
    const left = two().hook('SessionEnd', { reason: 'other' }).wait(1_000)
    expect(said(left.start('resume'))).toBe('idle')
  })

  it("[SC4] a subagent's request is not the main agent's: Stop leaves it", () => {
    const scene = background().wait(1_000).asks('Bash', subagent).wait(1_000)
    expect(said(scene.stop({ background_tasks: [RUNNING] }))).toBe('waiting_permission')
  })
})

describe('claude-state: unread', () => {
  it.each(['waiting_permission', 'waiting_question', 'waiting_plan', 'stopped'])(
    '[SC5] entering %s sets unread, looking clears it',
    (state) => {
      const scene = REACH[state]?.() as Scene
      expect(said(scene)).toBe(state)
      expect(unread(scene)).toBe(true)
      expect(unread(scene.wait(1_000).look())).toBe(false)
    },
  )

  it.each(['idle', 'working', 'working_background'])('[SC5] %s does not call the user', (state) => {
    expect(unread(REACH[state]?.() as Scene)).toBe(false)
  })

  it('[SC5] stopped after mere talk does not set unread', () => {
    const talk = working().tool('Read').wait(500).toolDone('Read').wait(500).stop()
    expect([said(talk), unread(talk)]).toEqual(['stopped', false])
  })
})

/** A turn told twice, as its hooks and its transcript tell it, each entry at its own time. */
function toldTwice(): Scene {
  const scene = idle().prompt('fix it').typed('fix it').wait(700)
  scene.tool('Bash').called('Bash', 'tool-1', 50).wait(600)
  scene.asks('Bash').wait(2_500).answered('tool-1').toolDone('Bash').wait(800)
  return scene.said('Fixed.', 'end_turn', 30).stop()
}

describe('claude-state: hook and transcript', () => {
  it('[SC6] however the two interleave, the verdict is the same', () => {
    const scene = toldTwice()
    const hooks = scene.reports.filter(({ source }) => source === 'hook')
    const entries = scene.reports.filter(({ source }) => source === 'transcript')
    const expected = scene.verdict()
    expect(said(scene)).toBe('stopped')
    const picks = fc.infiniteStream(fc.boolean())
    fc.assert(
      fc.property(picks, (hookFirst) => {
        const [left, right] = [[...hooks], [...entries]]
        const sessions = new Sessions()
        while (left.length + right.length > 0) {
          const pickLeft = left.length > 0 && (right.length === 0 || hookFirst.next().value)
          const report = (pickLeft ? left : right).shift()
          for (const signal of report ? translateClaude(report) : []) sessions.take(signal)
        }
        const facts = sessions.facts(scene.session)
        expect(facts && judge(facts, scene.now)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it.each([0, 100, 499, 500, 501, 5_000])('[SC6] an entry that arrives %i ms late', (late) => {
    const scene = stopped().wait(late)
    expect(said(scene.said('Done.', 'end_turn', late + 40))).toBe('stopped')
    expect(said(scene.answered('tool-1', late + 600))).toBe('stopped')
  })

  it('[SC13] an entry flushed late does not revive a finished session', () => {
    const scene = stopped().wait(5_000)
    expect(said(scene.called('Bash', 'tool-8', 5_600))).toBe('stopped')
    expect(said(scene.said('Let me see.', null, 5_300))).toBe('stopped')
    expect(said(scene.typed('do it', 7_000))).toBe('stopped')
  })
})

describe('claude-state: silence', () => {
  it('[SC7] working turns stuck after 2 minutes of silence, not before', () => {
    expect(said(working().prompt().wait(120_000))).toBe('working')
    expect(said(working().prompt().wait(120_001))).toBe('stuck')
  })

  it.each(Object.entries(REACH).filter(([state]) => state !== 'working'))(
    '[SC7] silence does not touch %s',
    (state, reach) => {
      expect(said(reach().wait(120_001))).toBe(state)
      expect(said(reach().wait(DAY_MS))).toBe(state)
    },
  )

  it('[SC8] after Stop or SessionEnd, silence never turns a session stuck', () => {
    expect(said(working().stop().wait(DAY_MS))).toBe('stopped')
    expect(said(working().hook('SessionEnd', { reason: 'other' }).wait(DAY_MS))).toBe('stopped')
  })

  it('[SC8] nor does it when the session comes back, though its last turn never ended', () => {
    const left = working().hook('SessionEnd', { reason: 'other' }).wait(DAY_MS)
    expect(said(left.start('resume').wait(120_001))).toBe('idle')
  })

  it('[SC9] a status line resets the silence', () => {
    const scene = working().prompt().wait(100_000).statusline().wait(120_000)
    expect(said(scene)).toBe('working')
    expect(said(scene.wait(1))).toBe('stuck')
  })

  it('[SC9] a status line brings stuck back to working', () => {
    const scene = working().wait(200_000)
    expect(said(scene)).toBe('stuck')
    expect(said(scene.statusline())).toBe('working')
  })

  it('[SC10] a long tool, a subagent or a compaction does not look stuck', () => {
    expect(said(working().tool('Bash').wait(DAY_MS))).toBe('working')
    expect(said(working().hook('SubagentStart', subagent).wait(DAY_MS))).toBe('working')
    expect(said(working().hook('PreCompact', { trigger: 'auto' }).wait(DAY_MS))).toBe('working')
  })

  it('[SC10] when the tool has ended, silence counts again', () => {
    const scene = working().tool('Bash').wait(DAY_MS).toolDone('Bash')
    expect(said(scene.wait(120_000))).toBe('working')
    expect(said(scene.wait(1))).toBe('stuck')
  })
})
