import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedLine } from '../src/agents/truth-reader.ts'
import { NEWEST } from './clients.ts'
import type { Conversation, Settings, Titled } from './conversation.ts'
import { type Place, settleIn } from './drive/place.ts'
import { Run } from './drive/run.ts'
import { openStage } from './drive/stage.ts'
import type { Watched } from './live/daemon.ts'
import { script } from './model/script.ts'
import { recordingSettings } from './record/inbox.ts'
import { claudeLooks, Recorder } from './record/recorder.ts'
import { recordingText } from './record/write.ts'

/** Past the user's last action, so that the final state counts too. */
const TAIL_MS = 1_200

/** An observer of the run beside the recorder, such as vigil. */
export interface Watcher {
  stop(): Promise<void>
}

export interface PlayOptions {
  readonly client?: string
  /** Called when everything is ready, before the first client starts. */
  readonly watch?: (stage: Watched, recorder: Recorder) => Promise<Watcher>
}

export interface Played {
  readonly conversation: Titled
  readonly client: string
  readonly lines: readonly RecordedLine[]
  /** The recording, as it is written to a file. */
  readonly text: string
  /** The error; the recording up to then is kept. */
  readonly failed?: Error
}

/** Plays one conversation with the real client, and records it. */
export async function playConversation(
  conversation: Conversation,
  { client = NEWEST, watch }: PlayOptions = {},
): Promise<Played> {
  const { name, shows, model, args = [] } = conversation
  let recorder: Recorder | undefined
  const stage = await openStage((place) => model?.(script(name), place) ?? script(name), {
    client,
    env: ({ root }) => ({ VIGIL_HOME: join(root, 'vigil'), ...conversation.env }),
    note: (what, value) => recorder?.note('action', { what, value }),
  })
  try {
    prepare(conversation, stage.place, client)
    recorder = new Recorder(claudeLooks(stage.place, stage.tmux, client))
    recorder.start()
    const watcher = await watch?.(stage, recorder)
    const failed = await actOut(conversation, new Run(stage, recorder, args))
    await watcher?.stop()
    await recorder.stop()
    const { lines } = recorder
    const text = recordingText({ version: client, plan: name, shows }, lines, stage.place)
    return { conversation, client, lines, text, ...(failed && { failed }) }
  } finally {
    await recorder?.stop()
    await stage.end()
  }
}

async function actOut({ name, user }: Conversation, run: Run): Promise<Error | undefined> {
  try {
    await user(run)
    const lost = run.model.requests.find(({ scripted }) => scripted === false)
    if (lost) throw new Error(`the script has no reply ${lost.step} to ${lost.prompt}`)
    return undefined
  } catch (error) {
    return new Error(`${name}: ${(error as Error).message}`, { cause: error })
  } finally {
    await sleep(TAIL_MS)
  }
}

function prepare(conversation: Conversation, place: Place, client: string): void {
  settleIn(place.home, conversation.trusted === false ? [] : [place.project])
  writeFileSync(join(place.project, 'hello.txt'), 'hello\n')
  const own = conversation.settings?.(place) ?? {}
  const settings = joined(own, recordingSettings(place, client) as Settings)
  writeFileSync(join(place.home, '.claude/settings.json'), JSON.stringify(settings, null, 2))
  conversation.prepare?.(place)
}

/** The user's own hooks come first, then the recorder's. */
function joined(own: Settings, recording: Settings): Settings {
  const events = new Set([...Object.keys(own.hooks ?? {}), ...Object.keys(recording.hooks ?? {})])
  const hooks = [...events].map((event) => [
    event,
    [...(own.hooks?.[event] ?? []), ...(recording.hooks?.[event] ?? [])],
  ])
  return { ...recording, ...own, hooks: Object.fromEntries(hooks) }
}
