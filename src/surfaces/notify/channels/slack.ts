import type { Channel } from '../channel.ts'
import { post } from '../http.ts'

/** A webhook of Slack or a compatible server (Mattermost, Rocket.Chat). None can retract. */
export function slackChannel({ url }: { readonly url: string }): Channel {
  return {
    send: async ({ title, body, link }, signal) => {
      const more = link === null ? '' : `\n<${link}|Open>`
      const text = `*${unmarked(title)}*\n${unmarked(body)}${more}`
      const options = { unfurl_links: false, unfurl_media: false, link_names: false }
      await post({ url, body: JSON.stringify({ text, ...options }), signal })
      return undefined
    },
  }
}

/**
 * SPEC NO11. `<!channel>` would notify the whole channel, and `<address|words>` can hide where a
 * link leads. A zero-width space after each mark makes it an ordinary letter.
 */
function unmarked(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`@]/g, '$&\u200b')
}
