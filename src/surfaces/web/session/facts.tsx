import type { ReactNode } from 'react'
import type { Session } from '../../../protocol/session.ts'
import { abilitiesOf } from '../../../view/board/abilities.ts'
import { jumpCommand } from '../../../view/jump-command.ts'
import { limitsOf } from '../../../view/limits.ts'
import { dollars, timeOfDay } from '../../../view/loop.ts'
import { shapeOf } from '../../../view/shape.ts'
import { Safe } from '../parts/safe-text.tsx'
import { InTmux } from './in-tmux.tsx'

/** What is known besides the state; unknown values are left out. */
export function FactList({ session, now }: { readonly session: Session; now: number }) {
  const { contextUsedPercent: used, todosDone, todosTotal } = session
  const { context } = shapeOf(session, now, timeOfDay)
  return (
    <section className="card">
      <h2>Session</h2>
      <div className="meters">
        {used !== null && <Meter name="Context" words={context ?? ''} part={1 - used / 100} />}
        {todosTotal !== null && todosTotal > 0 && (
          <Meter
            name="Tasks"
            words={`${todosDone ?? 0} of ${todosTotal} done`}
            part={(todosDone ?? 0) / todosTotal}
          />
        )}
        {limitsOf(session, now).map(({ name, words, left }) => (
          <Meter key={name} name={name} words={words} part={left} />
        ))}
      </div>
      <dl className="facts">
        {factsOf(session).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Meter(props: { readonly name: string; words: string; part: number }) {
  const part = Math.min(1, Math.max(0, props.part))
  return (
    <div className="meter">
      <span>{props.name}</span>
      <span className="figure-text">{props.words}</span>
      <progress max={1} value={part} aria-label={`${props.name}: ${props.words}`} />
    </div>
  )
}

function factsOf(session: Session): readonly (readonly [string, ReactNode])[] {
  const { cwd, branch, model, mode, costUsd, host, pid, version, id, parent } = session
  const safe = (text: string | null) => (text === null ? null : <Safe text={text} />)
  const inTmux = abilitiesOf(session, null).jump === null && !session.detached
  const jump = inTmux ? <InTmux id={id} own={session.own} command={jumpCommand(id)} /> : null
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Folder', safe(cwd)],
    ['Branch', safe(branch)],
    ['Model', safe(model)],
    ['Mode', safe(mode)],
    ['Cost', costUsd === null ? null : dollars(costUsd)],
    ['Host', safe(host)],
    ['Process', pid],
    ['Client', safe(version)],
    ['Id', safe(id)],
    ['Continues', safe(parent)],
    ['In tmux', jump],
  ]
  return facts.filter(([, value]) => value !== null)
}
