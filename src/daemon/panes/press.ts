import { agentOf } from '../../agents/index.ts'
import type { PaneInput } from '../../protocol/pane.ts'
import type { Session } from '../../protocol/session.ts'
import { tmuxQuoted } from '../../tmux/quote.ts'
import { runTmux } from '../../tmux/tmux.ts'
import { orWhy, paneAccessOf, whyUnreached } from './pane-access.ts'
import { CANNOT_TYPE, pasteInto, screenOf } from './type-into.ts'

/** Types into a session's pane, in order; returns why it could not. */
export function press(session: Session, typed: readonly PaneInput[]): Promise<string | undefined> {
  return orWhy(async () => {
    const trouble = await whyUnreached(session)
    if (trouble !== undefined) return trouble
    const access = paneAccessOf(session)
    let keys: string[] = []
    const send = async () => {
      if (keys.length > 0) await runTmux(session.tmuxSocket ?? '', keys.join(' ; '))
      keys = []
    }
    for (const one of typed) {
      if (!('paste' in one)) keys.push(`send-keys -t ${access.pane} ${keyOf(one)}`)
      else {
        await send()
        await pasteInto(access, one.paste)
      }
    }
    await send()
    return undefined
  })
}

/** In tmux's own syntax: as an argument, a text that ends in `;` would end the command. */
function keyOf(one: { readonly text: string } | { readonly key: string }): string {
  return 'text' in one ? `-l -- ${tmuxQuoted(one.text)}` : tmuxQuoted(one.key)
}

/** SPEC PA14. The agent's own interrupt keys, which a dialog might take for a no. */
export function pressInterrupt(session: Session): Promise<string | undefined> {
  return orWhy(async () => {
    const { input, readScreen } = agentOf(session.agent) ?? {}
    if (!input || !readScreen) return CANNOT_TYPE
    const trouble = await whyUnreached(session)
    if (trouble !== undefined) return trouble
    const access = paneAccessOf(session)
    const { keys, words } = input.interrupt
    const { shows } = readScreen(await screenOf(access))
    if (shows === 'dialog')
      return `its screen shows a dialog, which ${words} would answer; answer the dialog first`
    await access.tmux(['send-keys', '-t', access.pane, ...keys])
    return undefined
  })
}
