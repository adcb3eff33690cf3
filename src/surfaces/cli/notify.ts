import type { Command } from 'commander'
import { CALLS, SEQUENCES } from '../notify/settings.ts'
import { durationOption } from './loop-values.ts'
import { commandGroup } from './shortened.ts'

export function addNotify(program: Command): void {
  const notify = commandGroup(program, 'notify')
    .description('get notified when an agent needs you: desktop, terminal, phone, chat')
    .addHelpText('after', HELP)
  addSwitches(notify)
  addChannel(notify)
  addLimits(notify)
}

const HELP = `
Without a command, this is vigil notify status.

Examples:
  vigil notify on                                        on this desktop, or in the terminal
  vigil notify channel add ntfy https://ntfy.sh/TOPIC --after 5m
  vigil notify channel add slack https://hooks.slack.com/… --states error,stuck
  vigil notify quiet 22:00-07:00
  vigil notify test                                      send a test message through each channel

vigil notifies you once a state has lasted 0.5 s, except for a pane you are looking at. It retracts
the notification when you answer elsewhere, where the channel allows it. More than six a minute are
combined into one. What looks like a secret is removed before sending, unless you allow it.`

function addSwitches(notify: Command): void {
  notify
    .command('on')
    .description('turn notifications on; without a channel, adds the desktop or the terminal')
    .action(async () => (await import('./notify-settings.ts')).turnOn())
  notify
    .command('off')
    .description('turn notifications off; channels stay as they are')
    .action(async () => (await import('./notify-settings.ts')).turnOff())
  notify
    .command('status')
    .description('show the channels, their settings and their errors')
    .option('--json', 'print one JSON object, without addresses and secrets')
    .action(async (options) => (await import('./notify-status.ts')).printNotifyStatus(options))
  notify
    .command('test')
    .description('send a test message through each channel, or by one; exit code 1 if any failed')
    .argument('[channel]', 'the channel’s name')
    .action(async (name?: string) => (await import('./notify-test.ts')).test(name))
}

const CHANNEL_HELP = `
Channels:
  desktop            notify-send or osascript
  terminal           OSC 99, 777 or 9, whichever your terminal has, or the bell
  sound              plays a sound; --file chooses it
  ntfy URL           https://ntfy.sh/TOPIC, or a server of your own
  webhook URL        JSON, signed: x-vigil-signature is sha256=HMAC(secret, timestamp.body)
  slack URL          an incoming webhook of Slack, Mattermost or Rocket.Chat
  discord URL        a webhook of Discord

Examples:
  vigil notify channel add ntfy https://ntfy.sh/TOPIC --name phone --after 5m --always
  vigil notify channel add webhook https://example.org/vigil     makes a secret and prints it
  vigil notify channel add desktop --projects 'pay*,!playground'
  vigil notify channel remove phone`

function addChannel(notify: Command): void {
  const channel = notify
    .command('channel')
    .usage('add KIND [URL] | remove NAME')
    .description('add or remove a notification channel')
  channel
    .addArgument(channel.createArgument('<act>', 'add or remove').choices(['add', 'remove']))
    .argument('[words...]', 'with add: kind and address; with remove: name')
    .option('--name <name>', 'the channel’s name (default: its kind)')
    .option(
      '--after <time>',
      'notify only about what is still unread after this time: 5m, 1h',
      (value) => durationOption('--after', value),
    )
    .option('--states <list>', `notify only about these states: ${CALLS.join(',')}`, list)
    .option(
      '--projects <list>',
      'notify only about these projects; * matches any letters, ! excludes',
      list,
    )
    .option('--always', 'also notify in quiet hours')
    .option('--allow-secrets', 'also send what looks like a secret')
    .option('--token-file <file>', 'ntfy: an access token; - is standard input')
    .option(
      '--secret-file <file>',
      'webhook: the secret (default: vigil makes one); - is standard input',
    )
    .option('--file <file>', 'sound: the file to play')
    .addOption(
      channel
        .createOption('--sequence <sequence>', 'terminal: the sequence to write')
        .choices(SEQUENCES),
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
    .description('set quiet hours; what is still unread after them is sent then')
    .argument('<hours...>', 'such as 22:00-07:00, one or several; or off')
    .option('--days <list>', 'the days on which they start: sat,sun', list)
    .action(async (hours: string[], options) =>
      (await import('./notify-settings.ts')).quiet(hours, options),
    )
  notify
    .command('limit')
    .description('limit how many messages each channel may send per minute')
    .argument('<number>', '1 to 600')
    .action(async (value: string) => (await import('./notify-settings.ts')).limit(value))
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
