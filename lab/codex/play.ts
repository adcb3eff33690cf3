import { setTimeout as sleep } from 'node:timers/promises'
import { CODEX_NEWEST } from '../clients.ts'
import type { Played, PlayOptions } from '../play.ts'
import { Recorder } from '../record/recorder.ts'
import { recordingText } from '../record/write.ts'
import type { CodexConversation } from './conversation.ts'
import { CodexRun } from './drive/run.ts'
import { endCodexStage, openCodexStage } from './drive/stage.ts'
import type { AskedModel } from './model/server.ts'
import { codexLooks } from './record/looks.ts'

/** Past the user's last action, so that the final state counts too. */
const TAIL_MS = 1_200

/** Plays one conversation with the real client of Codex, and records it. */
export async function playCodex(
  talk: CodexConversation,
  { client = CODEX_NEWEST, watch }: PlayOptions = {},
): Promise<Played> {
  const { name, shows, args = [] } = talk
  let recorder: Recorder | undefined
  const stage = await openCodexStage(talk, client, {
    note: (what, value, pane) =>
      recorder?.note('action', { what, value, ...(pane !== undefined && { pane }) }),
    answer: (ev, asked) => recorder?.note('model', { ev, ...aboutOf(asked) }),
  })
  try {
    recorder = new Recorder(codexLooks(stage.place, stage.tmux))
    recorder.start()
    const watcher = await watch?.(stage, recorder)
    const failed = await actOut(talk, new CodexRun(stage, recorder, args))
    await watcher?.stop()
    await recorder.stop()
    const { lines } = recorder
    const meta = { agent: 'codex', version: client, plan: name, shows }
    const text = recordingText(meta, lines, stage.place)
    return { conversation: talk, client, lines, text, ...(failed && { failed }) }
  } finally {
    await recorder?.stop()
    await endCodexStage(stage)
  }
}

function aboutOf({ id, about }: AskedModel): object {
  return { id, agent: about.agent_name, thread: about.thread_id }
}

async function actOut(
  { name, user }: CodexConversation,
  run: CodexRun,
): Promise<Error | undefined> {
  try {
    await user(run)
    const lost = run.model.requests.find(({ choice }) => choice?.scripted === false)
    if (lost?.choice)
      throw new Error(`the script has no reply ${lost.choice.step} to ${lost.choice.prompt}`)
    return undefined
  } catch (error) {
    return new Error(`${name}: ${(error as Error).message}`, { cause: error })
  } finally {
    await sleep(TAIL_MS)
  }
}
