import type { Client } from '../../client/client.ts'
import { plain } from '../../view/session.ts'
import type { TerminalEffect } from './state.ts'

export type PaneClient = Pick<Client, 'typing' | 'setTyping' | 'say' | 'interrupt'>

type PaneEffect = Extract<TerminalEffect, { do: 'typing' | 'interrupt' | 'say' }>

const NAME_MAX_COLUMNS = 40

/** Does something to a session's pane; gives what is to be said about it. */
export async function paneDeed(client: Partial<PaneClient>, effect: PaneEffect): Promise<string> {
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

const NOWHERE = 'nothing can be typed here'
