import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { foldersOf } from '../../home/folders.ts'
import { readSettings, writeSettings } from '../../home/settings.ts'
import { findProgram } from '../../platform/programs.ts'
import { leavesMachine } from '../notify/sender.ts'
import { KINDS, type NotifySettings, readChannel, readNotify, said } from '../notify/settings.ts'
import { BadInput } from './bad-input.ts'
import { refuseForbidden } from './forbidden.ts'
import { out } from './output.ts'

interface AddOptions {
  readonly name?: string
  readonly after?: number
  readonly states?: readonly string[]
  readonly projects?: readonly string[]
  readonly always?: boolean
  readonly allowSecrets?: boolean
  readonly tokenFile?: string
  readonly secretFile?: string
  readonly file?: string
  readonly sequence?: string
}

type Section = Readonly<Record<string, unknown>>
type Listed = Readonly<Record<string, unknown>>

export function turnOn(): void {
  const channels = listed(change((now) => ({ on: true, channels: orUsual(listed(now)) })))
  print(`on, by ${channels.map(({ name }) => name).join(', ')}; try it with \`vigil notify test\``)
}

export function turnOff(): void {
  change(() => ({ on: false }))
  print('off')
}

/** A user who turns notifications on without a channel still wants one. */
function orUsual(channels: readonly Listed[]): readonly Listed[] {
  if (channels.length > 0) return channels
  const isDesktop = ['notify-send', 'osascript'].some((program) => findProgram(program))
  const kind = isDesktop ? 'desktop' : 'terminal'
  return [{ name: kind, kind }]
}

export function add([kind, url, ...more]: readonly string[], options: AddOptions): void {
  if (kind === undefined || !(KINDS as readonly string[]).includes(kind))
    throw new BadInput(`channel add ${kind ?? ''}: expected one of ${KINDS.join(', ')}`)
  if (leavesMachine(kind as (typeof KINDS)[number])) refuseForbidden('channels')
  if (more.length > 0)
    throw new BadInput(`channel add: expected one address, got ${more.length + 1}`)
  const secret = kind === 'webhook' ? secretFor(options) : undefined
  let name = ''
  const { on } = change((now) => {
    const channels = listed(now)
    name = options.name ?? freeName(kind, channels)
    if (channels.some((one) => one.name === name))
      throw new BadInput(`channel ${name}: exists already; remove it, or choose another --name`)
    const channel = { name, kind, ...(url !== undefined && { url }), ...wishesIn(options, secret) }
    const read = readChannel(channel)
    if ('error' in read) throw new BadInput(said(`channel ${name}`, read.error).join('; '))
    return { channels: [...channels, channel] }
  })
  if (secret !== undefined && options.secretFile === undefined) print(`secret: ${secret}`)
  const next =
    on === true
      ? `try it with \`vigil notify test ${name}\``
      : 'turn notifications on with `vigil notify on`'
  print(`${name} added; ${next}`)
}

export function remove([name, ...more]: readonly string[]): void {
  if (name === undefined || more.length > 0) throw new BadInput('channel remove: expected one name')
  change((now) => {
    const channels = listed(now)
    if (!channels.some((one) => one.name === name)) {
      const names = channels.map((one) => one.name).join(', ') || 'none'
      throw new BadInput(`channel ${name}: no such channel. The channels are ${names}`)
    }
    return { channels: channels.filter((one) => one.name !== name) }
  })
  print(`${name} removed`)
}

export function quiet(
  hours: readonly string[],
  { days }: { readonly days?: readonly string[] },
): void {
  const isOff = hours.length === 1 && hours[0] === 'off'
  const given = (isOff ? [] : hours).map((one) => {
    const [, from, to] = /^(\d\d:\d\d)[-–](\d\d:\d\d)$/.exec(one) ?? []
    if (from === undefined || to === undefined)
      throw new BadInput(`quiet ${one}: expected hours such as 22:00-07:00, or off`)
    return { from, to, ...(days && { days }) }
  })
  const { faults } = readNotify({ quiet: given })
  if (faults.length > 0) throw new BadInput(faults.join('; '))
  change(() => ({ quiet: given }))
  print(given.length > 0 ? `quiet ${hours.join(', ')}` : 'no quiet hours')
}

export function limit(value: string): void {
  const perMinute = Number(value)
  if (readNotify({ perMinute }).faults.length > 0)
    throw new BadInput(`limit ${value}: expected a number from 1 to 600`)
  change(() => ({ perMinute }))
  print(`at most ${perMinute} per minute and channel`)
}

export function notifySettings(): { settings: NotifySettings; faults: readonly string[] } {
  return readNotify(readSettings(foldersOf()).notify)
}

/** Keys that vigil does not understand stay as they are. */
function change(of: (now: Section) => Section): Section {
  return writeSettings(foldersOf(), ({ notify }) => ({ notify: of(notify) })).notify
}

function listed({ channels }: Section): readonly Listed[] {
  return Array.isArray(channels) ? channels.filter((one) => typeof one === 'object' && one) : []
}

function freeName(kind: string, channels: readonly Listed[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? kind : `${kind}-${n}`
    if (!channels.some((one) => one.name === name)) return name
  }
}

function wishesIn(options: AddOptions, secret: string | undefined): Listed {
  const { after, states, projects, always, allowSecrets, tokenFile, file, sequence } = options
  return {
    ...(after !== undefined && { afterMin: after / 60_000 }),
    ...(states && { states }),
    ...(projects && { projects }),
    ...(always && { always }),
    ...(allowSecrets && { secrets: true }),
    ...(tokenFile !== undefined && { token: contentOf(tokenFile) }),
    ...(secret !== undefined && { secret }),
    ...(file !== undefined && { file }),
    ...(sequence !== undefined && { sequence }),
  }
}

/** Not an argument: process listings would show it. */
function secretFor({ secretFile }: AddOptions): string {
  return secretFile === undefined ? randomBytes(32).toString('hex') : contentOf(secretFile)
}

function contentOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim()
  } catch (error) {
    throw new BadInput(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function print(line: string): void {
  out.line(line)
}
