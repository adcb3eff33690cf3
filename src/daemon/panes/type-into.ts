import { setTimeout as sleep } from 'node:timers/promises'
import type { ScreenReading } from '../../agents/agent.ts'
import { agentOf } from '../../agents/index.ts'
import type { Session } from '../../protocol/session.ts'
import { orWhy, type PaneAccess, paneAccessOf, whyUnreached } from './pane-access.ts'

/** The client draws pasted text within some frames. An earlier Enter would become part of it. */
const DRAWN_WITHIN_MS = 3_000
const LOOK_MS = 60

const SETTLES_WITHIN_MS = 1_500

/**
 * SPEC LP72. Types a prompt into the pane of a session with an empty input line, and sends it.
 * Returns why it could not: it never overwrites what the user is writing. `works`: for the queue of
 * a working session.
 */
export async function typeInto(
  session: Session,
  text: string,
  works = false,
): Promise<string | undefined> {
  const trouble = await whyNotYet(session, works)
  if (trouble !== undefined) return trouble
  const access = paneAccessOf(session)
  return orWhy(async () => {
    await pasteInto(access, text)
    return sent(
      async () => readerOf(session)?.(await screenOf(access)).input,
      () => access.tmux(['send-keys', '-t', access.pane, 'Enter']),
      works,
    )
  })
}

/** A client reports the end of its turn some frames before it draws that (2.0.50). */
async function whyNotYet(session: Session, works: boolean): Promise<string | undefined> {
  for (const giveUpAt = performance.now() + SETTLES_WITHIN_MS; ; await sleep(LOOK_MS)) {
    const trouble = await whyNot(session, works)
    if (trouble !== NO_INPUT_LINE || performance.now() > giveUpAt) return trouble
  }
}

/** Why nothing can be typed into its pane at this moment. */
export function whyNot(session: Session, works = false): Promise<string | undefined> {
  return orWhy(async () => {
    const readScreen = readerOf(session)
    if (!readScreen) return CANNOT_TYPE
    const trouble = await whyUnreached(session)
    if (trouble !== undefined) return trouble
    const { shows, input } = readScreen(await screenOf(paneAccessOf(session)))
    const stands = ['prompt', 'text', 'background'].includes(shows)
    if (!stands && !(works && shows !== 'dialog' && input !== undefined)) return NO_INPUT_LINE
    return input === '' ? undefined : 'its input line is not empty'
  })
}

/** Nothing is typed into a screen that cannot be read. */
function readerOf({ agent }: Session): ((text: string) => ScreenReading) | undefined {
  const { input, readScreen } = agentOf(agent) ?? {}
  return input && readScreen
}

export const CANNOT_TYPE = 'vigil cannot type into this agent'

const NO_INPUT_LINE = 'its screen shows no input line'

let buffers = 0

/** As plain text: an escape sequence in it could end the paste and continue as keys. */
export async function pasteInto({ tmux, pane }: PaneAccess, text: string): Promise<void> {
  buffers += 1
  const buffer = `vigil-${process.pid}-${buffers}`
  const plain = text.replaceAll('\r\n', '\n').replaceAll(CONTROL, '')
  await tmux(['load-buffer', '-b', buffer, '-'], plain)
  await tmux(['paste-buffer', '-p', '-d', '-b', buffer, '-t', pane])
}

const CONTROL = /(?![\n\t])\p{Cc}/gu

export function screenOf({ tmux, pane }: PaneAccess): Promise<string> {
  return tmux(['capture-pane', '-p', '-t', pane])
}

/**
 * Enter once the text is in the input line, and again if it stays there. SPEC PA23. In a working
 * session a dialog may have opened since: Enter would be a yes.
 */
async function sent(
  inputLine: () => Promise<string | undefined>,
  enter: () => Promise<string>,
  works: boolean,
): Promise<string | undefined> {
  const until = async (isSo: (input: string | undefined) => boolean) => {
    for (const giveUpAt = performance.now() + DRAWN_WITHIN_MS; performance.now() < giveUpAt; ) {
      if (isSo(await inputLine())) return true
      await sleep(LOOK_MS)
    }
    return false
  }
  const stands = (input: string | undefined) => input !== '' && !(works && input === undefined)
  if (!(await until(stands))) return 'the typed text did not appear on its screen'
  for (let tries = 0; tries < 2; tries++) {
    await sleep(LOOK_MS)
    if (works && !stands(await inputLine())) return 'its screen no longer shows an input line'
    await enter()
    if (await until((input) => input === '' || input === undefined)) return undefined
  }
  return 'the agent did not accept the typed text'
}
