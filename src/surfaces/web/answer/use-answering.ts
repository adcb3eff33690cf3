import { useCallback, useEffect, useState } from 'react'
import type { Answer, OpenRequest } from '../../../daemon/requests/shapes.ts'
import { api } from '../api.ts'
import { useStore } from '../frame/use-store.ts'

/** A click that was meant for what stood here a moment ago is nobody's answer. */
const SETTLE_MS = 400

export interface Answering {
  /** It may be answered from here, now. */
  readonly ready: boolean
  readonly sending: boolean
  readonly trouble: string | null
  readonly send: (answer: Answer) => void
}

/**
 * SPEC PG16. The answer names the request it is for, and goes out once. Who shows a request is made
 * anew for another one.
 */
export function useAnswering({ id, answerable }: OpenRequest): Answering {
  const store = useStore()
  const settled = useSettled(true)
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const ready = settled && answerable && !sending
  const send = useCallback(
    (answer: Answer) => {
      if (!ready) return
      setSending(true)
      setTrouble(null)
      api
        .post(`/v1/requests/${encodeURIComponent(id)}/answer`, answer)
        .then(() => store.send({ kind: 'notice', text: SAID[answer.choice], tone: 'plain' }))
        .catch((error: Error) => {
          setSending(false)
          setTrouble(error.message)
        })
    },
    [id, ready, store],
  )
  return { ready, sending, trouble, send }
}

/** Whether something has been so for long enough that a click or a key can be meant for it. */
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
