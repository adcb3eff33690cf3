import type { Channel } from '../channel.ts'
import { post } from '../http.ts'

interface Ntfy {
  readonly url: string
  readonly token?: string | undefined
}

/**
 * ntfy.sh, or your own server. As JSON: in a header a title would have to be encoded, and could end
 * the header. Servers from 2.16 on can retract a message; older ones ignore it, which does no harm.
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

/** SPEC AN28. A link to the page: any reader of the topic could press a button that answers. */
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
