import { useCallback, useEffect, useState } from 'react'
import type { OpenRequest, RequestAnswer } from '../../../protocol/request.ts'
import { api } from '../api.ts'
import { useChosen, useStore } from '../frame/use-store.ts'
import { whyRepeated, whyUnarmed } from '../model/arming.ts'
import type { RequestSeen } from './use-seen.ts'

/** A click within this time was meant for what was here before. */
const SETTLE_MS = 400

export interface Answering {
  /** It can be answered from here, once the user has done what `why` says. */
  readonly answerable: boolean
  /** It may be denied from here, now. */
  readonly ready: boolean
  /** It may be allowed or answered, too. */
  readonly allows: boolean
  /** What the user has to do before that. */
  readonly why: string | null
  /** Unfolds the rest, if that is what the user has to do. */
  readonly unfold: (() => void) | null
  readonly trouble: string | null
  readonly send: (answer: RequestAnswer) => void
}

/**
 * SPEC PG16, SH9. The answer names its request, and is sent once. Each request gets a new
 * component.
 */
export function useAnswering(
  request: OpenRequest,
  answerable: boolean,
  looked: RequestSeen,
): Answering {
  const { id, session, digest, cut } = request
  const { seen } = looked
  const store = useStore()
  const settled = useSettled(true)
  const armed = useArmed(session)
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const ready = settled && armed && answerable && !sending
  const allows = ready && seen === 'whole' && !cut
  const send = useCallback(
    (given: RequestAnswer) => {
      if (!(given.choice === 'deny' ? ready : allows)) return
      const { arming } = store.state
      const unarmed = whyUnarmed(arming, session, performance.now()) ?? whyRepeated(arming)
      if (unarmed !== null) {
        store.send({ kind: 'notice', text: unarmed, tone: 'plain' })
        return
      }
      setSending(true)
      setTrouble(null)
      const answer: RequestAnswer = { ...given, shown: digest }
      api
        .post(`/v1/requests/${encodeURIComponent(id)}/answer`, answer)
        .then(() => store.send({ kind: 'notice', text: SAID[answer.choice], tone: 'plain' }))
        .catch((error: Error) => {
          setSending(false)
          setTrouble(error.message)
        })
    },
    [id, session, digest, ready, allows, store],
  )
  const why = answerable ? whyNot(request, armed, looked) : null
  const unfold = why !== null && armed && seen === 'folded' ? looked.unfold : null
  return { answerable, ready, allows, why, unfold, trouble, send }
}

const VERBS = { permission: 'allow', plan: 'approve', question: 'answer' } as const

function whyNot({ kind, cut }: OpenRequest, armed: boolean, { seen }: RequestSeen): string | null {
  if (!armed) return 'To answer, click or tap this request first.'
  if (cut) return null
  if (seen === 'folded') return `To ${VERBS[kind]} it, show it in full first.`
  return seen === 'part' ? `To ${VERBS[kind]} it, scroll to its end first.` : null
}

/**
 * SPEC SH11. The user chose this session on purpose, on this page, since the page came to the
 * front.
 */
export function useArmed(session: string): boolean {
  return useSettled(useChosen(({ arming }) => arming.armed?.session === session))
}

/** Whether a condition has held for long enough that a click or a key can be meant for it. */
export function useSettled(isSo: boolean): boolean {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    if (!isSo) return
    const timer = setTimeout(() => setSettled(true), SETTLE_MS)
    return () => {
      clearTimeout(timer)
      setSettled(false)
    }
  }, [isSo])
  return settled
}

const SAID = { allow: 'allowed', deny: 'denied', answer: 'answered' } as const
