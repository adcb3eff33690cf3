import type { Session } from '../../protocol/session.ts'
import { nameBytesOf } from '../../tmux/quote.ts'
import { plain } from '../../view/session.ts'
import type { WindowSeen } from './reading.ts'

const PART_MAX_COLUMNS = 80
/** tmux takes any length; a bar shows some dozen columns. */
const NAME_MAX_BYTES = 4_096

/**
 * The name of a window with an agent, by the user's template. `{name}` is the user's name for the
 * window, or the agent's project if tmux had named the window (after the running program, which is
 * the same in all of them). As bytes: a name may be in another encoding.
 */
export function windowNameOf(
  template: string,
  sign: string,
  session: Session,
  window: Pick<WindowSeen, 'name' | 'auto' | 'held'>,
): Uint8Array {
  const own = window.held?.was ?? window.name
  const isOwn = window.held ? window.held.auto.endsWith('off') : !window.auto
  const texts: Readonly<Record<string, string | null>> = {
    sign,
    project: session.project,
    branch: session.branch,
    title: session.title,
    state: session.state,
    for: session.for,
  }
  const parts = template.split(/(\{\w+\})/).map((part) => {
    const key = /^\{(\w+)\}$/.exec(part)?.[1]
    if (key === undefined) return Buffer.from(part)
    if (key === 'window') return nameBytesOf(own)
    if (key === 'name') return isOwn ? nameBytesOf(own) : projectOf(session, own)
    if (!Object.hasOwn(texts, key)) return Buffer.from(part)
    const text = texts[key] ?? ''
    return Buffer.from(key === 'sign' ? text : plain(text, PART_MAX_COLUMNS))
  })
  return Buffer.concat(parts).subarray(0, NAME_MAX_BYTES)
}

function projectOf({ project }: Session, own: string): Uint8Array {
  return project === null ? nameBytesOf(own) : Buffer.from(plain(project, PART_MAX_COLUMNS))
}
