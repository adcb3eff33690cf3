import type { Client } from '../../client/client.ts'
import { plain } from '../../view/session.ts'
import type { PaneLook, TerminalEffect } from './state.ts'

export type PaneClient = Pick<Client, 'typing' | 'setTyping' | 'say' | 'interrupt' | 'paneLines'>

type PaneEffect = Extract<TerminalEffect, { do: 'typing' | 'interrupt' | 'say' }>

const NAME_MAX_COLUMNS = 40

/** Acts on a session's pane; returns the message to show. */
export async function actOnPane(client: Partial<PaneClient>, effect: PaneEffect): Promise<string> {
  const { id } = effect.session
  const who = plain(effect.session.name, NAME_MAX_COLUMNS)
  if ('text' in effect) {
    if (!client.say) return NOWHERE
    const { queued } = await client.say(id, effect.text, 'live')
    return `${who}: ${queued ? 'queued' : 'told'}`
  }
  if (effect.do === 'typing') {
    const before = await client.typing?.(id)
    const after = before && (await client.setTyping?.(id, !before.on, 'live'))
    return after ? `${who}: typing is ${after.on ? 'on' : 'off'}` : NOWHERE
  }
  if (!client.interrupt) return NOWHERE
  await client.interrupt(id, 'live')
  return `${who}: interrupt sent`
}

/** What a session's pane shows, or why that is not known. */
export async function paneLook(client: Partial<PaneClient>, session: string): Promise<PaneLook> {
  try {
    const lines = (await client.paneLines?.(session))?.rows ?? []
    return { session, lines, why: null }
  } catch (error) {
    return { session, lines: [], why: (error as Error).message }
  }
}

const NOWHERE = 'you cannot type into this session here'
