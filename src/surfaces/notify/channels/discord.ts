import { z } from 'zod'
import type { Channel } from '../channel.ts'
import { post } from '../http.ts'

const ANSWER = z.object({ id: z.string().regex(/^\d{1,30}$/) })

/** A Discord webhook, which returns a message's id if the request waits for it. */
export function discordChannel({ url }: { readonly url: string }): Channel {
  return {
    send: async ({ title, body, link }, signal) => {
      const more = link === null ? '' : `\n<${link}>`
      const content = `**${unmarked(title)}**\n${unmarked(body)}${more}`
      // The text of an agent must not mention users.
      const message = { content, allowed_mentions: { parse: [] }, flags: NO_EMBEDS }
      const answer = await post({ url: waiting(url), body: JSON.stringify(message), signal })
      return idIn(answer)
    },
    withdraw: async (_message, receipt, signal) => {
      if (receipt === undefined) return
      const address = new URL(url)
      address.pathname = `${address.pathname.replace(/\/$/, '')}/messages/${receipt}`
      await post({ url: address.href, method: 'DELETE', signal })
    },
  }
}

const NO_EMBEDS = 4

function waiting(url: string): string {
  const address = new URL(url)
  address.searchParams.set('wait', 'true')
  return address.href
}

function idIn(answer: string): string | undefined {
  try {
    return ANSWER.parse(JSON.parse(answer)).id
  } catch {
    return undefined
  }
}

/** SPEC NO11. Escapes every character that Markdown interprets. */
function unmarked(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, '\\$&')
}
