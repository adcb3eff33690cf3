import type { RecordedLine } from '../../../src/agents/truth-reader.ts'
import { truthOf } from '../../../src/recording/truth.ts'
import type { Place } from '../../drive/place.ts'
import type { Tmux } from '../../drive/tmux.ts'
import type { Looks } from '../../record/recorder.ts'
import { Screens } from '../../record/screens.ts'
import { Transcripts } from '../../record/transcripts.ts'
import { codexHome } from '../drive/hooks.ts'
import { CodexInbox } from './inbox.ts'
import { keptOfCodexScreen, keptOfRollout } from './keep.ts'
import { CodexProcesses } from './processes.ts'
import { RawOutput } from './raw.ts'
import { ServerMessages } from './server.ts'

const AGENT: RecordedLine = { t: 0, source: 'meta', agent: 'codex' }

/** What is watched of Codex. */
export function codexLooks(place: Place, tmux: Tmux): Looks {
  const home = codexHome(place)
  const processes = new CodexProcesses()
  const messages = new ServerMessages(home)
  return {
    fast: [
      ...[new RawOutput(place.root), processes, messages, new CodexInbox(place)],
      new Transcripts(home, 'sessions', keptOfRollout),
    ],
    screens: new Screens(tmux, keptOfCodexScreen),
    follow: (pane, cwd) => processes.follow(pane, cwd),
    truthOf: (lines, { id }) =>
      truthOf([AGENT, ...lines.filter(({ pane, source }) => pane === id || source === 'model')]),
    finish: (lines) => {
      nameClients(lines)
      nameThreads(lines)
    },
  }
}

/** Whose terminal each line is about: the client that is or was in it last, otherwise the next. */
function nameClients(lines: RecordedLine[]): void {
  const born = lines.filter(({ source, alive }) => source === 'process' && alive === true)
  for (const [index, line] of lines.entries()) {
    if (line.pane === undefined || line.pid !== undefined) continue
    const own = born.filter(({ pane }) => pane === line.pane)
    const client = own.findLast(({ t }) => t <= line.t) ?? own[0]
    if (client) lines[index] = { ...line, pid: client.pid }
  }
}

/** Which thread is in which client: the one whose rollout got the prompt that was typed there. */
function nameThreads(lines: RecordedLine[]): void {
  const named = lines.flatMap(({ t, source, what, value, pid }) => {
    if (source !== 'action' || what !== 'submit' || pid === undefined) return []
    const got = lines.find((line) => line.t >= t && isPrompt(line, String(value)))
    const thread = /([0-9a-f-]{36})\.jsonl$/.exec(String(got?.path))?.[1]
    return thread ? [{ t, source: 'action', what: 'thread', pid, session: thread }] : []
  })
  const known = new Set<string>()
  for (const line of named) {
    const key = `${line.pid} ${line.session}`
    if (!known.has(key)) lines.push(line)
    known.add(key)
  }
  lines.sort((a, b) => a.t - b.t)
}

function isPrompt({ source, entry }: RecordedLine, prompt: string): boolean {
  if (source !== 'transcript') return false
  const { payload } = entry as { payload?: { type?: string; item?: { type?: string } } }
  const isUser = payload?.type === 'item_completed' && payload.item?.type === 'UserMessage'
  return isUser && JSON.stringify(payload.item).includes(JSON.stringify(prompt).slice(1, -1))
}
