import { createHmac } from 'node:crypto'
import type { Channel } from '../channel.ts'
import { post } from '../http.ts'
import type { Message } from '../message.ts'

interface Webhook {
  readonly url: string
  readonly secret: string
  readonly now: () => number
}

/**
 * SPEC NO25. Sends JSON to the user's address. The signature covers the time and the exact bytes,
 * so that a receiver with the secret can verify the sender and detect a replay.
 */
export function webhookChannel({ url, secret, now }: Webhook): Channel {
  const tell = async (event: string, { id, at, ...message }: Message, signal: AbortSignal) => {
    const { title, body: text, urgent, sessions, link } = message
    const body = JSON.stringify({ event, id, at, title, body: text, urgent, sessions, link })
    const timestamp = String(Math.floor(now() / 1000))
    const headers = {
      'x-vigil-timestamp': timestamp,
      'x-vigil-signature': `sha256=${signatureOf(secret, timestamp, body)}`,
    }
    await post({ url, body, headers, signal })
  }
  return {
    send: async (message, signal) => {
      await tell('notify', message, signal)
      return undefined
    },
    withdraw: (message, _receipt, signal) => tell('withdraw', message, signal),
  }
}

export function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}
