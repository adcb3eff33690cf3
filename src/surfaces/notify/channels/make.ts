import type { Env } from '../../../agents/agent.ts'
import type { Channel } from '../channel.ts'
import type { ChannelSettings } from '../settings.ts'
import { desktopChannel, type OnPressed } from './desktop.ts'
import { discordChannel } from './discord.ts'
import { ntfyChannel } from './ntfy.ts'
import { slackChannel } from './slack.ts'
import { soundChannel } from './sound.ts'
import { terminalChannel } from './terminal.ts'
import { webhookChannel } from './webhook.ts'

interface Parts {
  readonly env: Env
  readonly now: () => number
  readonly onPressed?: OnPressed
}

export function channelOf(settings: ChannelSettings, { env, now, onPressed }: Parts): Channel {
  switch (settings.kind) {
    case 'desktop':
      return desktopChannel(env, onPressed)
    case 'terminal':
      return terminalChannel(env, settings.sequence)
    case 'sound':
      return soundChannel(env, settings.file)
    case 'ntfy':
      return ntfyChannel(settings)
    case 'webhook':
      return webhookChannel({ ...settings, now })
    case 'slack':
      return slackChannel(settings)
    case 'discord':
      return discordChannel(settings)
  }
}
