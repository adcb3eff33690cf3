import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../../test/support/scene.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const listed = (...ids: string[]) => ({
  background_tasks: ids.map((id) => ({ id, type: 'subagent', status: 'running' })),
})
const notice = (id: string) => `<task-notification>\n<task-id>${id}</task-id>\n</task-notification>`
const idle = () => new Scene().start().wait(1_000)
const working = () => idle().prompt().wait(1_000)
const tasks = (scene: Scene) => scene.verdict().tasks.map(({ id }) => id)

const launched = (agentId: string) => ({ tool_response: { status: 'async_launched', agentId } })
/** A subagent and a shell in the background, turn still open. */
const busy = () => {
  const scene = working().tool('Agent').wait(500).toolDone('Agent', 'tool-1', launched('agent-a'))
  const shell = { tool_response: { backgroundTaskId: 'shell-b' } }
  return scene.wait(500).tool('Bash').wait(500).toolDone('Bash', 'tool-2', shell).wait(1_000)
}

describe('background work', () => {
  it('[B1] a turn that is over with tasks still running is background', () => {
    const scene = busy()
    expect(scene.state()).toBe('working')
    scene.stop(listed('agent-a', 'shell-b'))
    expect(scene.verdict()).toMatchObject({ state: 'background', rule: 'B1' })
    expect(tasks(scene)).toEqual(['agent-a', 'shell-b'])
    expect(scene.wait(3_600_000).state()).toBe('background')
  })

  it('[B9] what a client warms up before the first turn is none of its user’s', () => {
    const scene = idle().hook('SubagentStart', AGENT)
    expect(scene.wait(1_000).state()).toBe('idle:start')
    expect(scene.prompt().wait(500).state()).toBe('working')
    // A session that was already running may have had turns before.
    expect(new Scene().hook('SubagentStart', AGENT).wait(1_000).state()).toBe('background')
  })

  it('[B1] it is idle when the last of them is over', () => {
    const scene = busy().stop(listed('agent-a', 'shell-b')).wait(1_000)
    expect(scene.hook('SubagentStop', AGENT).state()).toBe('background')
    const kill = { tool_input: { shell_id: 'shell-b' } }
    expect(scene.wait(500).toolDone('KillShell', 'tool-9', kill).state()).toBe('idle:work')
  })

  it.each<[string, (scene: Scene) => Scene]>([
    ['its tools', (scene) => scene.tool('Bash', AGENT).wait(500).toolDone('Bash', 'x', AGENT)],
    ['its batch', (scene) => scene.hook('PostToolBatch', AGENT)],
    ['its compaction', (scene) => scene.hook('PreCompact', { trigger: 'auto', ...AGENT })],
    [
      'its last word',
      (scene) => {
        const message = { role: 'assistant', stop_reason: 'end_turn', content: [] }
        return scene.entry({ type: 'assistant', isSidechain: true, agentId: 'agent-z', message })
      },
    ],
  ])("[B2] a subagent's steps do not touch the main agent's turn: %s", (_what, step) => {
    const open = step(working().wait(5_000))
    expect(open.verdict()).toMatchObject({ state: 'working', doing: { what: 'thinking' } })
    const over = step(working().stop().wait(5_000))
    expect(over.verdict().state).toBe('idle')
  })

  it("[B2] its work after the turn's end neither turns talk into work nor notifies", () => {
    const scene = working().stop().wait(5_000)
    expect(scene.state()).toBe('idle:talk')
    expect(scene.tool('Bash', AGENT).verdict()).toMatchObject({ after: 'talk', unread: false })
  })

  it("[B2] its Esc ends its task, not the main agent's turn", () => {
    const scene = busy().interrupted(0, { isSidechain: true, agentId: 'agent-a' })
    expect([scene.state(), tasks(scene)]).toEqual(['working', ['shell-b']])
  })
})

describe('the list of a Stop', () => {
  it('[B4] what it leaves out is over', () => {
    const scene = busy().stop(listed('shell-b'))
    expect([scene.state(), tasks(scene)]).toEqual(['background', ['shell-b']])
    expect(busy().stop(listed()).state()).toBe('idle:work')
  })

  it('[B4] tasks that no other source reported are running', () => {
    const scene = working().stop(listed('agent-n'))
    expect([scene.state(), tasks(scene)]).toEqual(['background', ['agent-n']])
  })

  it('[B4] what it calls finished is over', () => {
    const done = { background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'completed' }] }
    expect(working().hook('SubagentStart', AGENT).wait(1_000).stop(done).state()).toBe('idle:talk')
  })

  it('[B4] a task started after it runs', () => {
    const scene = working().stop(listed()).wait(1_000).hook('SubagentStart', AGENT)
    expect(scene.state()).toBe('background')
  })
})

describe('a client that never lists its tasks', () => {
  const unlisted = () => busy().hook('Stop').wait(1_000)

  it('[B5] a typed prompt clears them', () => {
    expect(unlisted().state()).toBe('background')
    const scene = unlisted().prompt('something else').wait(1_000)
    expect(tasks(scene)).toEqual([])
    expect(scene.hook('Stop').state()).toBe('idle:talk')
  })

  it("[B5] a task's notice does not", () => {
    const scene = unlisted().prompt(notice('agent-a')).wait(1_000)
    expect(tasks(scene)).toEqual(['shell-b'])
    expect(scene.hook('Stop').state()).toBe('background')
  })

  it('[B5] nor does a typed prompt while the screen still tells of background work', () => {
    const shown = screens.working('Waiting for 1 background agent to finish')
    const scene = unlisted().prompt('something else').wait(1_000).screen(shown)
    expect(tasks(scene)).toEqual(['agent-a', 'shell-b'])
    expect(scene.hook('Stop').verdict()).toMatchObject({ state: 'background', rule: 'B1' })
    // A bare prompt in its place shows no tasks.
    expect(tasks(scene.wait(1_000).screen(screens.prompt()))).toEqual([])
  })

  it('[B5] what the screen told before the prompt keeps none', () => {
    const shown = screens.working('Waiting for 1 background agent to finish')
    expect(tasks(unlisted().screen(shown).wait(1_000).prompt('something else'))).toEqual([])
  })

  it('[B5] where they are listed, a typed prompt clears nothing', () => {
    const scene = busy().stop(listed('agent-a', 'shell-b')).wait(1_000).prompt('more')
    expect(tasks(scene)).toEqual(['agent-a', 'shell-b'])
  })
})

describe('the end of a task', () => {
  it('[B6] the word idle ends every task started before it', () => {
    const scene = busy().stop(listed('agent-a', 'shell-b')).wait(1_000).registry('idle')
    expect([scene.state(), tasks(scene)]).toEqual(['idle:work', []])
    // A task that starts later runs.
    expect(tasks(scene.wait(1_000).hook('SubagentStart', AGENT))).toEqual(['agent-a'])
  })

  it('[B6] no other word does', () => {
    const scene = busy().stop(listed('agent-a', 'shell-b')).wait(1_000)
    expect(tasks(scene.registry('shell'))).toEqual(['agent-a', 'shell-b'])
    expect(tasks(scene.wait(1_000).registry('busy'))).toEqual(['agent-a', 'shell-b'])
  })

  it('[B7] SubagentStop with an empty type ends none', () => {
    const scene = busy().hook('SubagentStop', { agent_id: 'agent-a', agent_type: '' })
    expect(tasks(scene)).toContain('agent-a')
    expect(tasks(scene.hook('SubagentStop', AGENT))).not.toContain('agent-a')
  })

  it('[B7] older clients give no type at all: their subagents do end', () => {
    expect(tasks(busy().hook('SubagentStop', { agent_id: 'agent-a' }))).not.toContain('agent-a')
  })

  it('[B8] its notice ends it and starts a turn that its user did not type', () => {
    const scene = busy().stop(listed('agent-a')).wait(5_000).prompt(notice('agent-a'))
    expect([scene.state(), tasks(scene)]).toEqual(['working', []])
    // The user has not looked at the session since.
    expect(scene.wait(1_000).stop().verdict()).toMatchObject({ after: 'work', unread: true })
  })

  it('[B8] the same words inside a typed prompt are a typed prompt', () => {
    const scene = busy()
      .hook('Stop')
      .wait(1_000)
      .prompt(`what is ${notice('agent-a')}?`)
    expect(tasks(scene)).toEqual([])
  })
})
