import type { Session } from '../../../protocol/session.ts'
import { canAnswer, mainRequest, openRequestsOf } from '../../../view/board/abilities.ts'
import type { SessionDetails } from '../../../view/board/board.ts'
import { messagesNewestFirst } from '../../../view/changes.ts'
import { isStale, UNREACHABLE } from '../../../view/freshness.ts'
import { whatToShow } from '../../../view/request.ts'
import { numberedText, type ShownLine, shownLines } from '../../../view/request-lines.ts'
import { ageOf } from '../../../view/session.ts'
import { Elsewhere, RequestCard } from '../answer/request-card.tsx'
import { Prose } from '../parts/prose.tsx'
import { Safe } from '../parts/safe-text.tsx'
import { ActList } from './acts.tsx'
import { FactList } from './facts.tsx'
import { LoopCard } from './loop-card.tsx'

interface NowProps {
  readonly session: Session
  readonly details: SessionDetails | null
  readonly now: number
}

/** What the session asks, does and said; other facts below. */
export function Now({ session, details, now }: NowProps) {
  return (
    <>
      <Asks session={session} details={details} />
      <Does session={session} now={now} />
      {session.loop && <LoopCard session={session} details={details} now={now} />}
      {details ? (
        <>
          <Said said={messagesNewestFirst(details.talk)} />
          <FactList session={session} now={now} />
          <ActList acts={details.acts} now={now} />
        </>
      ) : (
        <Blank asks={false} />
      )}
    </>
  )
}

/** Requests from the daemon; what the daemon does not know comes from the transcript. */
function Asks({ session, details }: Omit<NowProps, 'now'>) {
  const requests = details ? openRequestsOf(session, details) : []
  const main = mainRequest(session, details)
  if (requests.length > 0)
    return requests.map((request) => (
      <RequestCard
        key={request.id}
        request={isStale(session) ? { ...request, why: UNREACHABLE } : request}
        answerable={canAnswer(session, request)}
        hasKeys={request === main}
      />
    ))
  const { request } = session
  if (!request || session.state !== 'waiting') return null
  // Until the details of this request have arrived.
  const isComing = !isStale(session) && details?.row.asks.join() !== session.asks.join()
  if (!details || isComing) return <Blank asks />
  const answer = details.acts.find(({ what, at }) => what === 'answer' && at >= request.at)
  if (answer)
    return (
      <section className="card">
        <p role="status">
          <Safe text={answer.words} /> from here; the agent has not continued yet.
        </p>
      </section>
    )
  const why = isStale(session) ? UNREACHABLE : null
  const call = details.talk?.call ?? null
  return <Unknown request={request} call={call} id={session.id} why={why} />
}

interface UnknownProps {
  readonly request: NonNullable<Session['request']>
  readonly call: NonNullable<SessionDetails['talk']>['call']
  readonly id: string
  readonly why: string | null
}

/** No hook waits for an answer: shows the request, and where to answer. */
function Unknown({ request, call, id, why }: UnknownProps) {
  return (
    <section className="card request" aria-label={`${request.tool} asks`}>
      <header className="request-head">
        <h2>
          <Safe text={request.tool} /> asks
        </h2>
      </header>
      {call ? (
        <Lines lines={shownLines(whatToShow(call))} />
      ) : (
        request.text && (
          <p className="about">
            <Safe text={request.text} />
          </p>
        )
      )}
      <Elsewhere why={why} session={id} />
    </section>
  )
}

const COLOURS: Readonly<Record<string, string>> = {
  '+': 'ink-green',
  '-': 'ink-red',
  '!': 'ink-magenta',
}

function Lines({ lines }: { readonly lines: readonly ShownLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must scroll it too
    <pre className="call" tabIndex={0} data-scrolls>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a call have no other names
        <span key={at} className={COLOURS[line.sign] ?? ''}>
          {line.sign} <Safe text={numberedText(line)} />
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

function Does({ session, now }: Omit<NowProps, 'details'>) {
  const { doing, tasks } = session
  if (!doing && tasks.length === 0) return null
  return (
    <section className="card">
      <h2>{doing ? 'Doing' : 'Running tasks'}</h2>
      <ul className="does">
        {doing && (
          <li>
            <strong>
              <Safe text={doing.tool ?? doing.what} />
            </strong>
            {doing.label && (
              <code className="inline">
                <Safe text={doing.label} />
              </code>
            )}
            <span className="dim age">{ageOf(now - doing.since)}</span>
          </li>
        )}
        {tasks.map(({ id, what, label }) => (
          <li key={id}>
            <strong>
              <Safe text={what} />
            </strong>
            {label && (
              <code className="inline">
                <Safe text={label} />
              </code>
            )}
            <span className="dim age">runs on</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Said({ said }: { readonly said: readonly string[] }) {
  if (said.length === 0) return null
  return (
    <section className="card said">
      <h2>Last message</h2>
      {said.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other names here
        <div key={at} className="message">
          <Prose text={text} />
        </div>
      ))}
    </section>
  )
}

/** A placeholder of the same size and shape, so that nothing jumps when the content arrives. */
function Blank({ asks }: { readonly asks: boolean }) {
  return (
    <section className={`card blank-card ${asks ? 'blank-request' : ''}`} aria-busy="true">
      <span className="blank-line short" />
      {asks && <span className="blank-line" />}
      <span className="blank-line block" />
      {asks && (
        <span className="blank-acts">
          <span className="blank-line act" />
          <span className="blank-line act" />
        </span>
      )}
    </section>
  )
}
