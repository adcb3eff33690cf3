import { existsSync } from 'node:fs'
import type { Env } from '../../../agents/agent.ts'
import { findProgram } from '../../../platform/programs.ts'
import type { AnswerButtons, Pressed } from '../ask.ts'
import { Buttons } from '../buttons.ts'
import { type Channel, ChannelError } from '../channel.ts'
import type { Message } from '../message.ts'
import { type ProgramOutcome, run } from '../program.ts'

/** The user pressed a button of a notification. */
export type OnPressed = (ask: AnswerButtons, choice: Pressed) => void

/** The desktop's notifications, through the program that comes with it. */
export function desktopChannel(env: Env, onPressed?: OnPressed): Channel {
  return findProgram('notify-send', env) === undefined &&
    findProgram('osascript', env) !== undefined
    ? macChannel(env)
    : linuxChannel(env, onPressed)
}

/** Texts are arguments of the script and not part of it: nothing in them runs. */
const SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
]

function macChannel(env: Env): Channel {
  return {
    send: async ({ title, body }, signal) => {
      const args = SCRIPT.flatMap((line) => ['-e', line])
      const ran = await started('osascript', [...args, title, body], env, signal)
      if (ran.code !== 0) throw failed('osascript', ran)
      return undefined
    },
  }
}

function linuxChannel(env: Env, onPressed?: OnPressed): Channel {
  const bus = withBus(env)
  const buttons = new Buttons(bus)
  /** Older versions do not print the id that retracts a notification. */
  let tellsId = true
  return {
    send: async (message, signal) => {
      if (message.ask && onPressed && buttons.hasRoom) {
        const { ask } = message
        const press = (choice: Pressed) => onPressed(ask, choice)
        const shown = await buttons.show(message.id, argumentsOf(message, true), press, signal)
        if (shown) return shown.receipt
      }
      const ran = await started('notify-send', argumentsOf(message, tellsId), bus, signal)
      if (ran.code === 0) return /^\d+/.exec(ran.stdout)?.[0]
      if (!tellsId || !/unknown option/i.test(ran.stderr)) throw failed('notify-send', ran)
      tellsId = false
      const again = await started('notify-send', argumentsOf(message, false), bus, signal)
      if (again.code !== 0) throw failed('notify-send', again)
      return undefined
    },
    withdraw: async ({ id }, receipt, signal) => {
      if (receipt !== undefined && findProgram('gdbus', env) !== undefined)
        await run('gdbus', [...CLOSE, receipt], { env: bus, signal })
      buttons.end(id)
    },
    close: () => buttons.close(),
  }
}

const CLOSE = [
  'call',
  '--session',
  '--dest=org.freedesktop.Notifications',
  '--object-path=/org/freedesktop/Notifications',
  '--method=org.freedesktop.Notifications.CloseNotification',
]

function argumentsOf({ title, body, urgent }: Message, tellsId: boolean): string[] {
  return [
    '--app-name=vigil',
    `--urgency=${urgent ? 'normal' : 'low'}`,
    ...(tellsId ? ['--print-id'] : []),
    '--',
    title,
    unmarked(body),
  ]
}

/** SPEC NO11. Many desktops interpret the body as markup, which could contain links. */
function unmarked(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A daemon that was started over ssh does not know the desktop's bus. */
function withBus(env: Env): Env {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env
  const path = `${env.XDG_RUNTIME_DIR || `/run/user/${process.getuid?.()}`}/bus`
  return existsSync(path) ? { ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` } : env
}

async function started(
  program: string,
  args: readonly string[],
  env: Env,
  signal: AbortSignal,
): Promise<ProgramOutcome> {
  try {
    return await run(program, args, { env, signal })
  } catch (error) {
    throw new ChannelError(`${program} cannot be run: ${(error as Error).message}`, false)
  }
}

/** There may be no desktop now; the user may log in a minute later. */
function failed(program: string, { code, stderr }: ProgramOutcome): ChannelError {
  const said = stderr.trim().split('\n')[0] ?? ''
  return new ChannelError(`${program} failed (${code})${said && `: ${said.slice(0, 200)}`}`, true)
}
