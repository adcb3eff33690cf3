import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { readSettings } from '../../../home/settings.ts'
import { findProgram } from '../../../platform/programs.ts'
import { type ChannelSettings, readNotify } from '../../notify/settings.ts'
import { troublesIn } from '../notify-status.ts'
import type { CheckContext } from './context.ts'

/** SPEC NO32. Whether notifications would reach the user, and what keeps a channel silent. */
export function checkNotify(context: CheckContext): CheckFinding[] {
  const { folders, daemon, env } = context
  const read = readOr(() => readNotify(readSettings(folders).notify))
  if (typeof read === 'string') return [finding.warning('notify', read, 'fix the file')]
  const { settings, faults } = read
  const wrong = faults.map((fault) =>
    finding.warning(
      'notify',
      fault,
      `check ${folders.config}/settings.json; \`vigil notify status\` shows the settings`,
    ),
  )
  const { on, channels } = settings
  if (!on) return [...wrong, finding.ok('notify', 'off; turn them on with `vigil notify on`')]
  if (channels.length === 0)
    return [...wrong, finding.warning('notify', 'on, but no channel is set up', 'vigil notify on')]
  const troubles = troublesIn(daemon?.health.troubles ?? [])
  const silent = channels.flatMap((channel) => {
    const what = troubles.get(channel.name) ?? missingFor(channel, env)
    const todo = `vigil notify test ${channel.name}`
    return what === undefined ? [] : finding.warning('notify', `${channel.name}: ${what}`, todo)
  })
  const names = channels.map(({ name, afterMin }) =>
    afterMin > 0 ? `${name} after a delay` : name,
  )
  const figures = { channels: channels.length, silent: silent.length }
  return [...wrong, ...silent, finding.ok('notify', `on, by ${names.join(', ')}`, { figures })]
}

function missingFor({ kind }: ChannelSettings, env: CheckContext['env']): string | undefined {
  if (kind !== 'desktop') return undefined
  const isThere = ['notify-send', 'osascript'].some(
    (program) => findProgram(program, env) !== undefined,
  )
  return isThere ? undefined : 'neither notify-send nor osascript is installed'
}

function readOr<T>(act: () => T): T | string {
  try {
    return act()
  } catch (error) {
    return (error as Error).message
  }
}
