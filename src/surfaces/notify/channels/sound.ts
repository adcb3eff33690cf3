import { existsSync } from 'node:fs'
import type { Env } from '../../../agents/agent.ts'
import { findProgram } from '../../../platform/programs.ts'
import { type Channel, ChannelError } from '../channel.ts'
import { run } from '../program.ts'

/** Programs that can play a sound, the usual ones first; none is a command from a setting. */
const PLAYERS = ['pw-play', 'paplay', 'afplay', 'ffplay', 'aplay'] as const

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  ffplay: ['-nodisp', '-autoexit', '-loglevel', 'quiet'],
}

/** Sounds that desktops install. */
const FILES = [
  '/usr/share/sounds/freedesktop/stereo/message.oga',
  '/usr/share/sounds/freedesktop/stereo/complete.oga',
  '/System/Library/Sounds/Glass.aiff',
  '/usr/share/sounds/alsa/Front_Center.wav',
]

export function soundChannel(env: Env, file?: string): Channel {
  return {
    send: async (_message, signal) => {
      const player = PLAYERS.find((program) => findProgram(program, env) !== undefined)
      const sound = [...(file === undefined ? FILES : [file])].find((path) => existsSync(path))
      if (player === undefined)
        throw new ChannelError(`no sound player is installed (${PLAYERS.join(', ')})`, false)
      if (sound === undefined)
        throw new ChannelError(`${file ?? 'a sound file of the desktop'}: no such file`, false)
      const { code } = await run(player, [...(OPTIONS[player] ?? []), sound], { env, signal })
      if (code !== 0) throw new ChannelError(`${player} failed (${code})`, false)
      return undefined
    },
  }
}
