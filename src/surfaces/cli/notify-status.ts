import { foldersOf } from '../../home/folders.ts'
import type { ChannelSettings, NotifySettings } from '../notify/settings.ts'
import { notifySettings } from './notify-settings.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reachIfRunning } from './reach.ts'

export async function printNotifyStatus({ json }: { readonly json?: boolean }): Promise<void> {
  const { settings, faults } = notifySettings()
  const troubles = await troublesOf()
  const channels = settings.channels.map((channel) => shown(channel, troubles))
  const { on, perMinute, quiet } = settings
  if (json) return out.json({ on, perMinute, quiet, channels, faults })
  out.lines([
    `notifications are ${on ? 'on' : 'off'}${limitsOf(settings)}`,
    ...channels.flatMap((channel) => linesOf(channel, out.paint)),
    ...faults.map((fault) => `  ! ${fault}`),
    ...(channels.length > 0 ? [] : ['  no channel; `vigil notify on` adds the default']),
  ])
}

export type TroublesByName = ReadonlyMap<string, string>

/** The daemon's problems by channel; empty if no daemon runs. */
async function troublesOf(): Promise<TroublesByName> {
  const client = await reachIfRunning(foldersOf())
  const health = await client?.health().catch(() => undefined)
  return troublesIn(health?.troubles ?? [])
}

export function troublesIn(troubles: readonly string[]): TroublesByName {
  return new Map(
    troubles.flatMap((trouble) => {
      const [, name, what] = /^notify (\S+): (.*)$/s.exec(trouble) ?? []
      return name === undefined || what === undefined ? [] : [[name, what] as const]
    }),
  )
}

/** Addresses of Slack and Discord are secrets; for the others the host is enough, too. */
function shown(channel: ChannelSettings, troubles: TroublesByName) {
  const { name, kind, afterMin, states, projects, always, secrets } = channel
  return {
    ...{ name, kind, afterMin, always, secrets },
    states: states ?? null,
    projects: projects ?? null,
    host: 'url' in channel ? (URL.parse(channel.url)?.host ?? null) : null,
    trouble: troubles.get(name) ?? null,
  }
}

function limitsOf({ perMinute, quiet }: NotifySettings): string {
  const hours = quiet.map(({ from, to, days }) => `${from}-${to}${days ? ` ${days}` : ''}`)
  const limit = `, at most ${perMinute} per minute and channel`
  return hours.length > 0 ? `${limit}, quiet ${hours.join(', ')}` : limit
}

function linesOf(channel: ReturnType<typeof shown>, paint: Paint): string[] {
  const { name, kind, host, afterMin, states, projects, always, secrets, trouble } = channel
  const about = [
    host === null ? kind : `${kind} ${host}`,
    afterMin > 0 ? `after ${afterMin} min` : 'at once',
    states?.join(','),
    projects?.join(','),
    always ? 'always' : undefined,
    secrets ? 'including secrets' : undefined,
  ]
  const words = about.filter((word) => word !== undefined).join(' · ')
  const mark = trouble === null ? paint('green', '✓') : paint('red', '✗')
  const wrong = trouble === null ? [] : [`    ${paint('red', trouble)}`]
  return [`  ${mark} ${name.padEnd(12)} ${words}`, ...wrong]
}
