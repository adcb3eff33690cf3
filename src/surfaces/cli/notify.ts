import type { Command } from 'commander'
import { CALLS, SEQUENCES } from '../notify/settings.ts'
import { durationOption } from './loop-values.ts'
import { commandGroup } from './shortened.ts'

export function addNotify(program: Command): void {
  const notify = commandGroup(program, 'notify')
    .description('be told when an agent needs you: desktop, terminal, phone, chat')
    .addHelpText('after', HELP)
  addSwitches(notify)
  addChannel(notify)
  addLimits(notify)
}

const HELP = `
Without a command: vigil notify status.

Examples:
  vigil notify on                                        on this desktop, or in the terminal
  vigil notify channel add ntfy https://ntfy.sh/TOPIC --after 5m
  vigil notify channel add slack https://hooks.slack.com/… --states error,stuck
  vigil notify quiet 22:00-07:00
  vigil notify test                                      one message by each channel

A call is told once it has stood for half a second, and not for a pane you are looking at; it is
taken back when you have answered elsewhere, where the channel can. More than six a minute are told
together. What looks like a secret never leaves the machine, unless you allow it.`

function addSwitches(notify: Command): void {
  notify
    .command('on')
    .description('tell me; without a channel, by the desktop or the terminal')
    .action(async () => (await import('./notify-settings.ts')).turnOn())
  notify
    .command('off')
    .description('tell me nothing; channels stay as they are')
    .action(async () => (await import('./notify-settings.ts')).turnOff())
  notify
    .command('status')
    .description('what is told by which channel, and what is wrong with one')
    .option('--json', 'one JSON object, without addresses and secrets')
    .action(async (options) => (await import('./notify-status.ts')).printNotifyStatus(options))
  notify
    .command('test')
    .description('one message by each channel, or by one; exit code 1 if any failed')
    .argument('[channel]', 'its name')
    .action(async (name?: string) => (await import('./notify-test.ts')).test(name))
}

const CHANNEL_HELP = `
Channels:
  desktop            notify-send or osascript
  terminal           OSC 99, 777 or 9 by your terminal, else the bell
  sound              by the player that is there; --file says which
  ntfy URL           https://ntfy.sh/TOPIC, or a server of your own
  webhook URL        JSON, signed: x-vigil-signature is sha256=HMAC(secret, timestamp.body)
  slack URL          an incoming webhook of Slack, Mattermost or Rocket.Chat
  discord URL        a webhook of Discord

Examples:
  vigil notify channel add ntfy https://ntfy.sh/TOPIC --name phone --after 5m --always
  vigil notify channel add webhook https://example.org/vigil     prints the secret it made
  vigil notify channel add desktop --projects 'pay*,!playground'
  vigil notify channel remove phone`

function addChannel(notify: Command): void {
  const channel = notify
    .command('channel')
    .usage('add KIND [URL] | remove NAME')
    .description('add or remove a way to be told')
  channel
    .addArgument(channel.createArgument('<act>', 'what to do').choices(['add', 'remove']))
    .argument('[words...]', 'the kind and its address, or the name')
    .option('--name <name>', 'what to call it (its kind)')
    .option('--after <time>', 'only what is still unread by then: 5m, 1h', (value) =>
      durationOption('--after', value),
    )
    .option('--states <list>', `only these: ${CALLS.join(',')}`, list)
    .option('--projects <list>', 'only these; * for any letters, ! for all but', list)
    .option('--always', 'in quiet hours, too')
    .option('--allow-secrets', 'tell what looks like a secret, too')
    .option('--token-file <file>', 'ntfy: an access token; - is standard input')
    .option('--secret-file <file>', 'webhook: the secret, else one is made; - is standard input')
    .option('--file <file>', 'sound: what to play')
    .addOption(
      channel.createOption('--sequence <sequence>', 'terminal: what to write').choices(SEQUENCES),
    )
    .addHelpText('after', CHANNEL_HELP)
    .action(async (act: 'add' | 'remove', words: string[], options) => {
      const { add, remove } = await import('./notify-settings.ts')
      await (act === 'add' ? add(words, options) : remove(words))
    })
}

function addLimits(notify: Command): void {
  notify
    .command('quiet')
    .description('hours in which nothing is told; what is unread by then is told after them')
    .argument('<hours...>', '22:00-07:00, several if need be; or off')
    .option('--days <list>', 'the days on which they begin: sat,sun', list)
    .action(async (hours: string[], options) =>
      (await import('./notify-settings.ts')).quiet(hours, options),
    )
  notify
    .command('limit')
    .description('how many messages a channel may send in a minute')
    .argument('<number>', '1 to 600')
    .action(async (value: string) => (await import('./notify-settings.ts')).limit(value))
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
