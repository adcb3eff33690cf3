import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerKeys } from '../../agents/pane-answers.ts'
import type { Session } from '../../protocol/session.ts'
import { orWhy, paneAccessOf, whyUnreached } from './pane-access.ts'
import { screenOf } from './type-into.ts'

/** A dialog refuses every answer in its first half second (`lab/drive/client.ts`). */
const STANDS_MS = 600

/** An accepted answer showed within 1.2 s on a busy machine. */
const GONE_WITHIN_MS = 3_000
const LOOK_MS = 60

/** An answer to a dialog, by keys into its pane. */
export interface DialogAnswer {
  /** The keys, on a screen that shows exactly this dialog; otherwise why not. */
  readonly keysOn: (screen: string) => AnswerKeys
  /** Called before any key is sent; throws if it cannot be logged, and then nothing is sent. */
  readonly note: (keys: readonly string[]) => void
}

/** Why the dialog is not visible in its pane at this moment. */
export async function whyNotShown(session: Session, keysOn: DialogAnswer['keysOn']) {
  const looked = await lookFor(session, keysOn)
  return 'why' in looked ? looked.why : undefined
}

/**
 * SPEC AN33. The dialog must be visible for as long as its agent refuses answers, and again right
 * before the keys: a dialog that opened in between gets none of them. Returns why it could not.
 */
export async function answerDialog(
  session: Session,
  { keysOn, note }: DialogAnswer,
): Promise<string | undefined> {
  const unseen = await whyNotShown(session, keysOn)
  if (unseen !== undefined) return unseen
  await sleep(STANDS_MS)
  const stands = await lookFor(session, keysOn)
  if ('why' in stands) return stands.why
  note(stands.keys)
  const last = await lookFor(session, keysOn)
  if ('why' in last) return last.why
  return orWhy(async () => {
    const access = paneAccessOf(session)
    await access.tmux(['send-keys', '-t', access.pane, ...last.keys])
    for (const giveUpAt = performance.now() + GONE_WITHIN_MS; performance.now() < giveUpAt; ) {
      await sleep(LOOK_MS)
      if ('why' in keysOn(await screenOf(access))) return undefined
    }
    return `${last.keys.join(' ')} was typed, but the dialog is still open`
  })
}

async function lookFor(session: Session, keysOn: DialogAnswer['keysOn']): Promise<AnswerKeys> {
  let looked: AnswerKeys = { keys: [] }
  const why = await orWhy(async () => {
    const unreached = await whyUnreached(session)
    if (unreached === undefined) looked = keysOn(await screenOf(paneAccessOf(session)))
    return unreached
  })
  return why === undefined ? looked : { why }
}
