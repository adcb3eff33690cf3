import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const NOTIFY = 'src/surfaces/notify'

/** Notifications, each rule broken once. */
export const NOTIFY_MUTANTS: readonly Mutant[] = [
  ...within('policy', `${NOTIFY}/policy.test.ts`, [
    ['a call is reported at once', 'call.at + waitMs', 'call.at', 'NO1'],
    ['a call is reported again and again', 'told.set(channel, id)', 'told.get(id)', 'NO1'],
    ['a pane in view is reported', 'if (call) call.heldUntil', 'if (!call) looked.size', 'NO4'],
    ['a minute has no limit', 'if (free < 1)', 'if (free < -1e9)', 'NO5'],
    ['each call gets a message of its own', 'return isFew ?', 'return isFew || true ?', 'NO6'],
    ['the first message waits, too', 'used.length === 0 ? 0 :', '', 'NO6'],
    ['a call that is over is not retracted', 'message.of.size > 0', 'message.of.size >= 0', 'NO7'],
    [
      'many are withdrawn with the first of them',
      '!message || message.of.size > 0',
      '!message',
      'NO7',
    ],
    ['every channel is used at once', 'channel.afterMin * 60_000', '0', 'NO8'],
    ['a new name is a new call', 'this.#calls.set(session.id, { ...call', '({ ...call', 'NO9'],
    ['off is on', 'if (!on) return NOTHING', '', 'NO30'],
  ]),
  ...within('wanted', `${NOTIFY}/policy.test.ts`, [
    ['a kind of waiting is no state', 'wanted === kind', 'false', 'NO2'],
    ['what is left out is meant', 'matches(pattern.slice(1), project)', 'false', 'NO2'],
  ]),
  ...within('quiet', `${NOTIFY}/policy.test.ts`, [
    ['a night ends at midnight', 'isOn(day - 1) ? length - yesterday : 0', 'false ? 1 : 0', 'NO3'],
    ['a night belongs to the next day', 'isOn(day - 1)', 'isOn(day)', 'NO3'],
    ['the clock never changes', 'Math.min(left, STEP_MIN)', 'left', 'NO3'],
  ]),
  ...within('text', `${NOTIFY}/text.test.ts`, [
    ['control characters stay', '[\\p{Cc}', '[\\p{Zs}', 'NO10'],
    ['unseen characters stay', '\\p{Cf}|', '', 'NO10'],
    ['letters are cut in half', 'Array.from(text)', "text.split('')", 'NO10'],
    ['nothing is cut', 'letters.length <= max', 'true', 'NO10'],
    ['secrets leave the machine', 'clean = withoutSecrets(line)', 'clean = line', 'NO12'],
    [
      'half a secret leaves the machine',
      'clean = withoutSecrets(line)',
      'clean = withoutSecrets(cut(line, max))',
      'NO12',
    ],
  ]),
  ...within('message', `${NOTIFY}/text.test.ts`, [
    ['several are reported as one', 'ordered.length === 1', 'true', 'NO13'],
    [
      'a secret that the view cuts is sent in part',
      '.map((session) => safe(session, leaving))',
      '',
      'NO12',
    ],
  ]),
  ...within('channel-queue', `${NOTIFY}/channel-queue.test.ts`, [
    ['a channel that hangs is waited for', 'act(own.signal), late]', 'act(own.signal)]', 'NO20'],
    ['a channel is not told to stop', 'own.abort()', '', 'NO20'],
    ['what fails is given up at once', 'waitMs === undefined ||', 'true ||', 'NO21'],
    ['what was refused is tried again', '!error.isPassing ||', '', 'NO21'],
    ['a server’s longer delay is ignored', 'Math.max(waitMs, askedMs)', 'waitMs', 'NO21'],
    [
      'a server may ask for a day',
      'Math.min(error.afterMs ?? 0, RETRY_AFTER_MAX_MS)',
      'error.afterMs ?? 0',
      'NO21',
    ],
    ['everything waits', 'this.#queue.length > QUEUE_MAX', 'false', 'NO22'],
    [
      'a call that is over is reported after all',
      'message.id !== id)',
      'message.id === id || true)',
      'NO23',
    ],
    ['what is on its way stays', 'if (this.#isUnwanted) void', 'if (false) void', 'NO23'],
  ]),
  ...within('http', 'test/notify/web.test.ts', [
    ['every answer is a good one', 'status >= 200 && status < 300', 'status > 0', 'NO24'],
    ['a busy server is given up', 'PASSING.has(status) ||', '', 'NO24'],
    ['an endless answer is read', 'if (bytes > ANSWER_MAX_BYTES) break', '', 'NO24'],
    ['an address is shown', 'host} answered', 'host}/path answered', 'NO24'],
  ]),
  ...within('channels/webhook', 'test/notify/web.test.ts', [
    ['time and body run together', 'timestamp}.$', 'timestamp}$', 'NO25'],
    [
      'where a terminal is leaves the machine',
      'sessions, link })',
      'sessions, link, ...message })',
      'NO25',
    ],
  ]),
  ...within('channels/slack', 'test/notify/web.test.ts', [
    ['everybody can be called', ".replaceAll('<', '&lt;')", '', 'NO11'],
  ]),
  ...within('channels/discord', 'test/notify/web.test.ts', [
    ['everybody can be mentioned', 'allowed_mentions: { parse: [] }, ', '', 'NO11'],
    ['any answer is an id', 'ANSWER.parse(JSON.parse(answer)).id', 'JSON.parse(answer).id', 'NO23'],
  ]),
  ...within('channels/ntfy', 'test/notify/web.test.ts', [
    ['a message has no id', ', sequence_id: id', '', 'NO26'],
  ]),
  ...within('channels/desktop', 'test/notify/local.test.ts', [
    ['a title can be an option', "    '--',\n", '', 'NO15'],
    ['a body is markup', 'unmarked(body)', 'body', 'NO15'],
    ['the desktop’s bus is not found', 'existsSync(path) ?', 'false ?', 'NO15'],
  ]),
  ...within('program', 'test/notify/local.test.ts', [
    ['what a program started is left', 'process.kill(-pid', 'process.kill(pid', 'NO20'],
  ]),
  ...within('channels/sound', 'test/notify/local.test.ts', [
    ['a missing file is played', 'if (sound === undefined)', 'if (false)', 'NO16'],
  ]),
  ...within('channels/terminal', 'test/notify/terminal.test.ts', [
    ['any name is a terminal’s', 'if (!/^\\/dev', "if (/^x/.test('') && !/^\\/dev", 'NO14'],
    ['a bell goes past tmux', "sequence !== 'bell')", "sequence !== 'osc9')", 'NO14'],
  ]),
  ...within('looking', 'test/notify/terminal.test.ts', [
    ['a user who left is looking', '&& now - activeAt < PRESENT_MS', '', 'NO4'],
  ]),
  ...within('memory', 'test/notify/surface.test.ts', [
    [
      'nothing is remembered',
      'new Map(Object.entries(FILE',
      'new Map() ?? Object.entries((FILE',
      'NO9',
    ],
  ]),
  ...within('settings', `${NOTIFY}/settings.test.ts`, [
    [
      'a fault silences all',
      "if ('error' in read) faults",
      "if ('error' in read) good.clear(), faults",
      'NO30',
    ],
    ['plain HTTP goes anywhere', 'if (isNearby(parsed.hostname))', 'if (parsed)', 'NO30'],
  ]),
]

function within(name: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    breaks: `notify: ${breaks}`,
    file: `${NOTIFY}/${name}.ts`,
    find,
    replace,
    test,
    caughtBy,
  }))
}
