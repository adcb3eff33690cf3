import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { Env } from '../../../agents/agent.ts'
import { psArgs } from '../../../platform/ps-table.ts'
import { type Channel, ChannelError } from '../channel.ts'
import type { Message, TerminalPlace } from '../message.ts'
import { run } from '../program.ts'
import { type NotifySequence, retraction, sequenceOf, written } from '../sequences.ts'
import { clientsOf, panesOf } from '../tmux-clients.ts'

interface Screen {
  readonly tty: string
  readonly sequence: NotifySequence
}

/**
 * SPEC NO14. Through the terminal itself. Within tmux to the terminals that show its server,
 * because tmux would not pass a sequence on from a pane; a bell goes to the pane, because tmux
 * knows what the user wants done with it. Without an open terminal nothing is sent.
 */
export function terminalChannel(env: Env, wanted: NotifySequence | 'auto'): Channel {
  const each = async (
    message: Message,
    signal: AbortSignal,
    textOf: (sequence: NotifySequence) => string | undefined,
  ) => {
    const screens = await screensOf(message.places, wanted, env, signal)
    const faults = screens.flatMap(({ tty, sequence }) => {
      const text = textOf(sequence)
      return text === undefined ? [] : (write(tty, text) ?? [])
    })
    if (screens.length > 0 && faults.length === screens.length)
      throw new ChannelError(faults[0] ?? '', true)
  }
  return {
    send: async (message, signal) => {
      await each(message, signal, (sequence) => written(sequence, message))
      return undefined
    },
    withdraw: (message, _receipt, signal) =>
      each(message, signal, (sequence) => retraction(sequence, message)),
  }
}

/** Each terminal once, however many sessions it shows. */
async function screensOf(
  places: readonly TerminalPlace[],
  wanted: NotifySequence | 'auto',
  env: Env,
  signal: AbortSignal,
): Promise<readonly Screen[]> {
  const spoken = (terminal: string) => (wanted === 'auto' ? sequenceOf(terminal) : wanted)
  const screens: Screen[] = []
  for (const [socket, inside] of Map.groupBy(places, ({ tmuxSocket }) => tmuxSocket)) {
    if (socket === null) {
      const ttys = await ttysOf(inside, env, signal)
      for (const [index, { terminal }] of inside.entries()) {
        const tty = ttys[index]
        if (tty) screens.push({ tty, sequence: spoken(terminal ?? '') })
      }
      continue
    }
    const shown = (await clientsOf(socket, env, signal)).map(({ tty, terminal }) => ({
      tty,
      sequence: spoken(terminal),
    }))
    screens.push(...shown.filter(({ sequence }) => sequence !== 'bell'))
    if (!shown.some(({ sequence }) => sequence === 'bell')) continue
    const panes = await panesOf(socket, env, signal)
    const ttys = inside.flatMap(({ tmuxPane }) => panes.get(tmuxPane ?? '') ?? [])
    screens.push(...ttys.map((tty) => ({ tty, sequence: 'bell' as const })))
  }
  return [...new Map(screens.map((screen) => [screen.tty, screen])).values()]
}

/** By the session's process: the variables that name a terminal may belong to another. */
async function ttysOf(
  places: readonly TerminalPlace[],
  env: Env,
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  const pids = places.flatMap(({ pid }) => pid ?? [])
  if (pids.length === 0) return places.map(({ tty }) => tty)
  const args = psArgs(['-p', pids.join(',')], ['pid', 'tty'])
  const { stdout } = await run('ps', args, { env, signal }).catch(() => ({ stdout: '' }))
  const known = new Map(
    stdout.split('\n').map((line) => line.trim().split(/\s+/) as [string, string]),
  )
  return places.map(({ pid, tty }) => {
    const name = known.get(String(pid))
    if (name === undefined) return tty
    return name.startsWith('?') ? null : `/dev/${name.replace(/^\/dev\//, '')}`
  })
}

/** Writes only to the user's own terminals, and does not wait for a stopped one. */
function write(path: string, text: string): string | undefined {
  if (!/^\/dev\/(pts\/\d+|tty[\w.]+)$/.test(path)) return `${path}: not the name of a terminal`
  try {
    const flags = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK
    const file = openSync(path, flags)
    try {
      const found = fstatSync(file)
      if (!found.isCharacterDevice() || found.uid !== process.getuid?.())
        return `${path}: not a terminal of this user`
      writeSync(file, text)
      return undefined
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return `${path}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`
  }
}
