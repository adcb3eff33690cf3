import { detachedLine } from '../../../core/words.ts'
import type { Session } from '../../../protocol/session.ts'
import { Command } from '../parts/code.tsx'

/** SPEC VW31. That the session has no terminal, and a command to copy that gives it one. */
export function Detached({ session }: { readonly session: Session }) {
  const { attach } = session
  const line = detachedLine(session)
  if (line === null) return null
  return (
    <p className="sentence">
      {attach === null ? line : line.slice(0, -attach.length)}
      {attach !== null && <Command text={attach} />}
    </p>
  )
}
