import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { type Channel, ChannelError } from '../channel.ts'
import type { Message, Place } from '../message.ts'
import type { Env } from '../program.ts'
import { type Sequence, sequenceOf, takenBack, written } from '../sequences.ts'
import { clientsOf, ttyOfPane } from '../tmux-clients.ts'

interface Screen {
  readonly tty: string
  readonly sequence: Sequence
}

/**
 * SPEC NO14. Through the terminal itself: within tmux to the terminals that show its server, which
 * would keep a sequence from a pane to itself; a bell to the pane, for tmux knows what its user
 * wants of it. Where nobody has a terminal open there is nobody to tell.
 */
export function terminalChannel(env: Env, wanted: Sequence | 'auto'): Channel {
  const each = async (
    message: Message,
    signal: AbortSignal,
    textOf: (sequence: Sequence) => string | undefined,
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
      each(message, signal, (sequence) => takenBack(sequence, message)),
  }
}

/** Each terminal once, however many sessions it shows. */
async function screensOf(
  places: readonly Place[],
  wanted: Sequence | 'auto',
  env: Env,
  signal: AbortSignal,
): Promise<readonly Screen[]> {
  const screens = new Map<string, Screen>()
  const add = (tty: string, terminal: string) => {
    const sequence = wanted === 'auto' ? sequenceOf(terminal) : wanted
    screens.set(tty, { tty, sequence })
    return sequence
  }
  const servers = Map.groupBy(places, ({ tmuxSocket }) => tmuxSocket)
  for (const [socket, inside] of servers) {
    if (socket === null) {
      for (const { tty, terminal } of inside) if (tty !== null) add(tty, terminal ?? '')
      continue
    }
    for (const { tty, terminal } of await clientsOf(socket, env, signal)) {
      if (add(tty, terminal) !== 'bell') continue
      screens.delete(tty)
      for (const { tmuxPane } of inside) {
        const pane = tmuxPane === null ? undefined : await ttyOfPane(socket, tmuxPane, env, signal)
        if (pane !== undefined) screens.set(pane, { tty: pane, sequence: 'bell' })
      }
    }
  }
  return [...screens.values()]
}

/** Only a terminal of one's own is written to, and one that was stopped is not waited for. */
function write(path: string, text: string): string | undefined {
  if (!/^\/dev\/(pts\/\d+|tty[\w.]+)$/.test(path)) return `${path}: not the name of a terminal`
  try {
    const flags = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK
    const file = openSync(path, flags)
    try {
      const found = fstatSync(file)
      if (!found.isCharacterDevice() || found.uid !== process.getuid?.())
        return `${path}: not a terminal of its user's`
      writeSync(file, text)
      return undefined
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return `${path}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`
  }
}
