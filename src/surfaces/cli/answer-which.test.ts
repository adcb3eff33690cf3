import { describe, expect, it } from 'vitest'
import { OTHER_MACHINE } from '../../../test/support/machines.ts'
import { aRequest } from '../../../test/support/open-request.ts'
import { aSession } from '../../../test/support/sessions.ts'
import type { Client } from '../../client/client.ts'
import { everyRequest, whichRequest } from './answer-which.ts'

const here = aSession({ id: 'asks', name: 'here', asks: ['r1'] })
const far = { machine: OTHER_MACHINE, own: false, host: 'laptop', asks: ['r2'] }
const there = aSession({ ...far, id: 'there', name: 'there' })
const request = aRequest()

/** The daemon of a machine in whose fleet laptop does not reply. */
function client(refusal: string): Client {
  const error = Object.assign(new Error('laptop is offline; nothing was done'), { name: refusal })
  const requests = async (session?: string) => {
    if (session?.startsWith(OTHER_MACHINE)) throw error
    return { requests: [request] }
  }
  const sessions = async () => ({ sessions: [here, there], now: request.at })
  return { sessions, requests } as unknown as Client
}

const none = { session: undefined, request: undefined }

describe('[FL189] a machine that does not reply', () => {
  it.each(['DaemonFailed', 'Refused', 'BadRequest'])(
    'hides no request of another (%s)',
    async (refusal) => {
      const { requests, lines } = await everyRequest(client(refusal), undefined)
      expect(requests.map(({ id }) => id)).toEqual([request.id])
      expect(lines.at(-1)).toBe('laptop: laptop is offline; nothing was done')
      const [{ code = '' } = {}] = requests
      const found = await whichRequest(client(refusal), { session: undefined, request: code })
      expect(found.request).toEqual(request)
      const named = await whichRequest(client(refusal), { session: 'here', request: undefined })
      expect(named.request).toEqual(request)
    },
  )

  it('may have a request, so that none of another is taken unnamed', async () => {
    const guessed = whichRequest(client('DaemonFailed'), none)
    await expect(guessed).rejects.toThrow(/Name the session.*laptop is offline/s)
  })

  it('is the reason where its session was named, and the own daemon always is', async () => {
    const named = whichRequest(client('DaemonFailed'), { ...none, session: 'there' })
    await expect(named).rejects.toThrow('laptop is offline')
    await expect(everyRequest(client('DaemonGone'), undefined)).rejects.toThrow('offline')
  })
})
