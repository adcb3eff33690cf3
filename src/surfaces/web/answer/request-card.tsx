import { useMemo } from 'react'
import type { OpenRequest } from '../../../protocol/request.ts'
import { jumpCommand } from '../../../view/jump-command.ts'
import { whatToShow } from '../../../view/request.ts'
import { ageOf } from '../../../view/session.ts'
import { useChosen } from '../frame/use-store.ts'
import { Command } from '../parts/code.tsx'
import { FoldContext } from '../parts/fold.ts'
import { Safe } from '../parts/safe-text.tsx'
import { DecisionForm } from './decision.tsx'
import { QuestionForm } from './questions.tsx'
import { Below, SeenMark, Subject } from './subject.tsx'
import { useAnswering } from './use-answering.ts'
import { useSeen } from './use-seen.ts'

const TITLES = {
  permission: 'asks for permission',
  question: 'A question for you',
  plan: 'A plan to approve',
} as const

interface RequestProps {
  readonly request: OpenRequest
  /** It can be answered from here, now. */
  readonly answerable: boolean
  /** Keys act on this request: of several on the first, never on all. */
  readonly hasKeys: boolean
}

/** One request, with everything needed to decide, and the ways to answer. */
export function RequestCard({ request, answerable, hasKeys }: RequestProps) {
  const { kind, tool, actor, at } = request
  const now = useChosen(({ now }) => Math.floor(now / 1_000) * 1_000)
  const looked = useSeen(request.digest)
  const { box, fold } = looked
  const answering = useAnswering(request, answerable, looked)
  const blocks = useMemo(() => whatToShow(request), [request])
  const subject = <Subject blocks={blocks.filter(({ is }) => is !== 'question')} />
  const title = kind === 'permission' ? `${tool} ${TITLES[kind]}` : TITLES[kind]
  return (
    <section className="card request" aria-label={title}>
      <header className="request-head">
        <h2>
          <Safe text={title} />
        </h2>
        {actor !== null && (
          <span className="chip">
            subagent <Safe text={actor} />
          </span>
        )}
        <span className="dim">{ageOf(now - at)} ago</span>
      </header>
      <FoldContext value={fold}>
        {kind === 'question' ? (
          <QuestionForm request={request} answering={answering} box={box}>
            {subject}
          </QuestionForm>
        ) : (
          <>
            <div className="subject" ref={box}>
              {subject}
              <SeenMark />
            </div>
            <Below box={box} />
            <DecisionForm request={request} answering={answering} hasKeys={hasKeys} />
          </>
        )}
      </FoldContext>
      {answering.trouble !== null && (
        <p className="trouble" role="alert">
          {answering.trouble}
        </p>
      )}
      {!answerable && <Elsewhere why={request.why} session={request.session} />}
    </section>
  )
}

/** Why it cannot be answered from here, and where it can. */
export function Elsewhere({ why, session }: { readonly why: string | null; session: string }) {
  const jump = jumpCommand(session)
  return (
    <div className="elsewhere">
      <p>{why ?? 'Answer it in its terminal.'}</p>
      {jump !== null && <Command text={jump} />}
    </div>
  )
}
