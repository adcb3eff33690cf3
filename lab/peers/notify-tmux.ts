import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { blocksOf, type Entry, endsClient, entryOf, type Hook, hookOf } from './lines.ts'
import { type Peer, Sayings } from './peer.ts'

/**
 * notify-tmux by its document: the Stop hook alone, so nothing changes within a turn. IDLE,
 * COMPLETED and BASE all mean that the user may go on, and the 30 minutes only move between them.
 */
export const NOTIFY_TMUX: Peer = {
  name: 'notify-tmux',
  knows: 'Stop hook alone, as documented',
  judge({ lines }) {
    const sayings = new Sayings()
    let tool: string | undefined
    sayings.say(lines[0]?.t ?? 0, 'idle')
    for (const line of lines) {
      const entry = entryOf(line)
      if (entry) tool = lastTool(entry, tool)
      if (hookOf(line)?.hook_event_name === 'Stop')
        // A Stop whose turn used no Task clears the flag, as the document says.
        sayings.say(line.t, tool !== undefined && TASK.has(tool) ? 'working' : 'idle')
    }
    return sayings.all
  },
}

/** Today's client calls the tool Agent; a script of today would know. */
const TASK = new Set(['Task', 'Agent'])

/** The last tool the turn used so far; a prompt begins the next turn. */
function lastTool(entry: Entry, before: string | undefined): string | undefined {
  if (entry.type === 'user' && typeof entry.message?.content === 'string') return undefined
  return blocksOf(entry).findLast(({ type }) => type === 'tool_use')?.name ?? before
}

/**
 * The same script as it is really wired: SessionStart, PreToolUse, PermissionRequest, Stop and
 * SessionEnd, in a window that the user does not look at.
 */
export const NOTIFY_TMUX_WIRED: Peer = {
  name: 'notify-tmux, real-time',
  knows: 'five hooks, as its script is wired',
  judge({ lines }) {
    const sayings = new Sayings()
    for (const line of lines) takeWired(sayings, line)
    return sayings.all
  },
}

function takeWired(sayings: Sayings, line: RecordedLine): void {
  const hook = hookOf(line)
  const state = hook && stateAfter(hook)
  if (state !== undefined) sayings.say(line.t, state)
}

/**
 * `@agent_running` is left out: the script sets it for Task, which today's client does not have,
 * and clears it only with TaskOutput, so that with Agent it would stick.
 */
function stateAfter(hook: Hook): string | undefined {
  switch (hook.hook_event_name) {
    case 'SessionStart':
    case 'Stop':
      return 'idle'
    case 'PreToolUse':
      return hook.tool_name === 'AskUserQuestion' ? 'waiting' : 'working'
    case 'PermissionRequest':
      return 'waiting'
    case 'SessionEnd':
      // The bare window name is back: there is no agent in it.
      return endsClient(hook) ? 'closed' : 'idle'
    default:
      return undefined
  }
}
