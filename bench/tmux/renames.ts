import { setTimeout as sleep } from 'node:timers/promises'
import { ControlClient } from '../../src/tmux/control.ts'
import { percentile } from '../daemon/home.ts'
import { Stage } from './stage.ts'

const WINDOWS = 50
const TURNS = 400
const PER_SECOND = 20

/**
 * From the hook that ends a turn to the window's name, as another client receives it: more than the
 * time from the verdict on. Every turn ends with another sign than the one before.
 */
export async function renames() {
  const stage = new Stage(WINDOWS)
  stage.set(true)
  await stage.home.start()
  for (let i = 0; i < WINDOWS; i++) stage.hook(i, 'SessionStart', { source: 'startup' })
  await stage.taken()
  await sleep(2_000)
  const endedAt = new Map<string, number>()
  const delays: number[] = []
  const observer = new ControlClient(stage.socket, 'work', {
    onNotice: (name, rest) => {
      const [window = ''] = rest.split(' ')
      const at = name === 'window-renamed' ? endedAt.get(window) : undefined
      if (at !== undefined) delays.push(Date.now() - at)
      endedAt.delete(window)
    },
    onEnd: () => {},
  })
  await observer.ask('start-server')
  await turns(stage, endedAt)
  await sleep(2_000)
  observer.close()
  await stage.end()
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    windows: WINDOWS,
    turns: TURNS,
    renamed: delays.length,
    medianMs: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
  }
}

async function turns(stage: Stage, endedAt: Map<string, number>): Promise<void> {
  const begin = performance.now()
  for (let turn = 0; turn < TURNS; turn++) {
    const dueMs = begin + (turn * 1_000) / PER_SECOND - performance.now()
    if (dueMs > 0) await sleep(dueMs)
    const index = turn % WINDOWS
    const tool = Math.floor(turn / WINDOWS) % 2 === 0 ? 'Read' : 'Edit'
    const call = { tool_name: tool, tool_use_id: `call-${turn}` }
    stage.hook(index, 'UserPromptSubmit', { prompt: 'x' })
    stage.hook(index, 'PreToolUse', { ...call, tool_input: {} })
    stage.hook(index, 'PostToolUse', { ...call, tool_response: {} })
    await sleep(10)
    endedAt.set(stage.panes[index]?.window ?? '', Date.now())
    stage.hook(index, 'Stop')
  }
}
