import type { Channel } from '../channel.ts'
import { post } from '../http.ts'

interface Ntfy {
  readonly url: string
  readonly token?: string | undefined
}

/**
 * ntfy.sh, or a server of one's own. As JSON: in a header a title would have to be encoded, and
 * could end it. A server from 2.16 on takes a message back; an older one does not know that, and no
 * harm is done.
 */
export function ntfyChannel({ url, token }: Ntfy): Channel {
  const { server, topic } = partsOf(url)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    send: async ({ id, title, body, urgent, link }, signal) => {
      const priority = urgent ? 4 : 3
      const words = { topic, title, message: body || title, priority, sequence_id: id }
      const message = { ...words, ...(link !== null && linked(link)) }
      await post({ url: server, body: JSON.stringify(message), headers, signal })
      return undefined
    },
    withdraw: async ({ id }, _receipt, signal) => {
      await post({ url: `${server}${topic}/${id}`, method: 'DELETE', headers, signal })
    },
  }
}

/** SPEC AN28. To the page: a button that answers would be anybody's who reads the topic. */
function linked(url: string) {
  return { click: url, actions: [{ action: 'view', label: 'Open', url, clear: false }] }
}

/** `https://host/prefix/topic`: the last part is the topic, the rest is the server. */
function partsOf(url: string): { readonly server: string; readonly topic: string } {
  const parsed = new URL(url)
  const parts = parsed.pathname.split('/').filter((part) => part !== '')
  const topic = decodeURIComponent(parts.pop() ?? '')
  return { server: `${parsed.origin}/${parts.map((part) => `${part}/`).join('')}`, topic }
}
