import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { screens } from '../../../test/support/scene.ts'
import type { Report } from '../../core/signal.ts'
import { screenReader } from '../observed.ts'
import { readScreen } from './screen.ts'

const RULE = '─'.repeat(80)
const QUOTES = [
  '     Do you want to proceed?',
  '     ❯ 1. Yes',
  '       2. No',
  '     Waiting for permission…',
  '     ✢ Pondering… (3s · ↓ 20 tokens)',
  '     ✓ Done test 1',
  '     Enter to select · ↑/↓ to navigate · Esc to cancel',
]
/** A tool's output that looks like everything the client draws; the client indents it. */
const QUOTED = ['❯ do it', '', '● Quote', '  ⎿  ✔ All tests passed', ...QUOTES].join('\n')
const ANSWER = [
  ...['❯ do it', '', '● It says:', '  Waiting for permission…', '  Do you want to proceed?'],
  ...['  ❯ 1. Yes', '    2. No', '  ⎿  Interrupted'],
].join('\n')

/** As 1.0 draws it. */
const BOXED = [
  '╭──╮',
  '│ Bash command │',
  '│ Do you want to proceed? │',
  '│ ❯ 1. Yes │',
  '╰──╯',
].join('\n')

/** Before any hook, as 2.1.220 draws it. */
const SETTINGS = [
  ...['', RULE, '  Settings Warning', '', '  /home/me/.claude/settings.json'],
  '  └ hooks.PostModelSwitch: Unknown hook event "PostModelSwitch" was ignored.',
  ...['', '  The values listed above were skipped; the rest of the file is in effect.', ''],
  ...['  ❯ 1. Continue', '    2. Fix with Claude', '    3. Exit and fix manually', ''],
  '  Enter to confirm · Esc to cancel\n',
].join('\n')

const list = (...lines: string[]) => `❯ do it\n\n${RULE}\n${lines.join('\n')}\n`

describe('an input line', () => {
  it('[X8] between two rules is a prompt, with what stands in it', () => {
    expect(readScreen(screens.prompt())).toEqual({ shows: 'prompt', input: '' })
    expect(readScreen(screens.prompt('hello'))).toEqual({ shows: 'prompt', input: 'hello' })
    expect(readScreen(screens.prompt('', ''))).toEqual({ shows: 'prompt', input: '' })
    expect(readScreen(screens.prompt('one\n  two'))).toEqual({ shows: 'prompt', input: 'one' })
  })

  it("[X8] the client's own hint in it was not typed", () => {
    for (const hint of ['Press up to edit queued messages', 'Try "fix it"'])
      expect(readScreen(screens.prompt(hint)).input).toBe('')
  })

  it('[X8] needs its rules', () => {
    for (const shown of ['❯ \n', `❯ \n${RULE}\n`, `${RULE}\n❯ \n`, `${RULE}\nx\n❯ \n${RULE}\n`])
      expect(readScreen(shown)).toEqual({ shows: 'nothing' })
  })
})

describe('a status above the input line', () => {
  it.each([...'·✢✳✶✻✽*'])('[X8] that turns is work: %s', (glyph) => {
    const shown = screens.prompt('', `❯ do it\n\n${glyph} Pondering… (3s · ↓ 20 tokens)`)
    expect(readScreen(shown).shows).toBe('working')
  })

  it('[X8] may stand above hints and to-dos', () => {
    const above = '✶ Pondering… (3s)\n  ⎿  ☐ one\n     ☐ two\n\n  ctrl+t to hide'
    expect(readScreen(screens.prompt('next', above))).toEqual({ shows: 'working', input: 'next' })
  })

  it('[X8] that tries again is work', () => {
    const shown = screens.working('API error · Retrying in 1s · attempt 1/10')
    expect(readScreen(shown).shows).toBe('working')
  })

  it('[X8] of a finished turn is none; a task that is called so is work', () => {
    for (const done of ['Worked for 1s · done 9:00 AM', 'Brewed for 1m 2s · done 6:57 PM']) {
      expect(readScreen(screens.working(done)).shows).toBe('prompt')
      expect(readScreen(screens.working(`${done}… (3s · ↓ 20 tokens)`)).shows).toBe('working')
    }
  })

  it('[X8] is missing below an answer that comes in', () => {
    expect(readScreen(screens.prompt('', '❯ do it\n\n● One,\n  two'))).toMatchObject({
      shows: 'text',
    })
    expect(readScreen(screens.prompt('', '● Hello.\n\n❯ again'))).toMatchObject({ shows: 'prompt' })
  })

  it('[X8] of an earlier turn, above what was said since, is none', () => {
    const above = '✢ Pondering… (3s)\n\n● Hello.\n\n❯ again\n\n● Hello again.'
    expect(readScreen(screens.prompt('', above)).shows).toBe('text')
  })

  it.each([
    'Waiting for 1 background agent to finish',
    'Waiting for 12 background agents to finish',
    'Brewed for 0s · done 6:57 PM · 1 shell still running',
  ])('[X8] may tell of background work: %s', (status) => {
    expect(readScreen(screens.working(status)).shows).toBe('background')
  })

  it('[X8] Waiting for permission is a dialog about to be drawn', () => {
    const [above, box] = screens.prompt('', '● Touching\n').split(/\n\n(?=─)/)
    const shown = `${above}\n\n  Waiting for permission…\n${box}`
    expect(readScreen(shown)).toEqual({ shows: 'dialog', for: 'permission', input: '' })
  })

  it('[X8] a command with ! runs until its output is there', () => {
    const bang = (output: string) => readScreen(screens.prompt('', `! sleep 3\n  ⎿  ${output}`))
    expect(bang('Running…').shows).toBe('working')
    expect(bang('hi').shows).toBe('prompt')
  })
})

describe('a dialog in place of the input line', () => {
  it.each([
    ['permission', screens.permission()],
    ['plan', list('   Exit plan mode?', '', '    ❯ 1. Yes', '      2. No')],
    [
      'question',
      list(
        ...[' ☐ Colour', 'Which colour?', '❯ 1. Red', '  2. Blue', RULE, '  3. Chat', ''],
        'Enter to select · ↑/↓ to navigate · Esc to cancel',
      ),
    ],
    ['dialog', list(' Quick safety check: Is this yours?', ' ❯ No, exit', '   Yes')],
    ['dialog', list(' Select login method:', ' ❯ 1. Subscription', ' Press Ctrl-C again to exit')],
    ['dialog', `❯ hi\n${'▔'.repeat(60)} medium ▔\n   Help\n\n   / for commands\n`],
    ['dialog', list(' Shell', ' ❯ sleep 9', ' Esc/Enter/Space to close')],
    ['permission', BOXED],
    ['question', list('  MCP server “lab” requests your input', '  ❯ Name:', '  Esc to cancel')],
    ['dialog', SETTINGS],
    ['dialog', list('   Select model', '   ❯ 1. Default', '   Enter to set · Esc to cancel')],
  ])('[X8] is read by its kind: %s', (kind, shown) => {
    expect(readScreen(shown)).toEqual({ shows: 'dialog', for: kind })
  })

  it('[X8] of several questions is a question too, on its last page as well', () => {
    const tabs = '←  ☒ Colour  ☐ Size  ✔ Submit  →'
    const foot = 'Enter to select · Tab/Arrow keys to navigate · Esc to cancel'
    const first = list(tabs, '', 'Which size?', '', '❯ 1. [ ] S', '  2. [ ] L', RULE, '', foot)
    const review = ['Review your answers', '', 'Ready to submit your answers?', '']
    const last = list(tabs, '', ...review, '❯ 1. Submit answers', '  2. Cancel')
    expect.soft(readScreen(first)).toEqual({ shows: 'dialog', for: 'question' })
    expect.soft(readScreen(last)).toEqual({ shows: 'dialog', for: 'question' })
  })

  it('[X8] is what it asks, not what it asks about', () => {
    const about = [' Bash command', '   Would you like to proceed?', ' Do you want to proceed?']
    const shown = list(...about, ' ❯ 1. Yes', '   2. No')
    expect(readScreen(shown)).toEqual({ shows: 'dialog', for: 'permission' })
  })

  it('[X8] without anything to choose is none', () => {
    expect(readScreen(' Do you want to proceed?\n Esc to cancel\n')).toEqual({ shows: 'nothing' })
    expect(readScreen(' ❯ 1. Yes\n   2. No\n')).toEqual({ shows: 'nothing' })
  })
})

describe('words a tool printed', () => {
  it('[X8] are no dialog, spinner or prompt above an input line', () => {
    expect(readScreen(screens.prompt('', QUOTED))).toEqual({ shows: 'text', input: '' })
  })

  it('[X8] do not hide a spinner, nor make one of a finished turn', () => {
    expect(readScreen(screens.working(undefined, QUOTED)).shows).toBe('working')
    expect(readScreen(screens.working('Worked for 1s · done 9:00 AM', QUOTED)).shows).toBe('prompt')
  })

  it.each([
    ['a tool printed', QUOTED],
    ['the agent said', ANSWER],
  ])('[X8] are no dialog above a shell-mode input line: %s', (_, above) => {
    const shown = `${above}\n\n${RULE}\n! ls\n${RULE}\n  ! for shell mode\n`
    expect(readScreen(shown).shows).not.toBe('dialog')
  })

  it('[X8] are no dialog above the shell that is left', () => {
    expect(readScreen(`${QUOTED}\n\n$ \n`)).toEqual({ shows: 'nothing' })
  })

  it('[X8] do not change the kind of a dialog below them', () => {
    const menu = `${RULE}\n   Select model\n   ❯ 1. Default\n   Enter to set · Esc to cancel\n`
    expect(readScreen(`${QUOTED}\n\n${menu}`)).toEqual({ shows: 'dialog', for: 'dialog' })
  })

  it('[X8] nor do words of an answer, where an interrupted turn left no status', () => {
    expect(readScreen(screens.prompt('', ANSWER)).shows).toBe('text')
  })
})

describe('other screens', () => {
  it('[X8] show nothing', () => {
    for (const shown of ['', '\n\n', screens.shell(), 'bash-5.2# claude\n', `${RULE}\n${RULE}\n`])
      expect(readScreen(shown)).toEqual({ shows: 'nothing' })
  })

  it('[X8] of any size are read at their end', () => {
    const above = `${QUOTED}\n`.repeat(20_000)
    expect(readScreen(screens.working(undefined, above)).shows).toBe('working')
    expect(readScreen(screens.prompt('x'.repeat(50_000))).input).toBe('x'.repeat(200))
  })

  it('are signals about a pane; without a text there is none', () => {
    const report = { t: 1, source: 'screen' as const, pane: '%1', text: screens.permission() }
    const reader = screenReader('claude', readScreen)
    expect(reader.about(report)).toEqual({ agent: 'claude', pane: '%1' })
    expect(reader.about({ ...report, session: 's' })).toMatchObject({ session: 's' })
    expect(reader.read(report)).toEqual([{ kind: 'screen', shows: 'dialog', for: 'permission' }])
    expect(reader.read({ ...report, text: '' })).toEqual([])
  })
})

const FOLDER = new URL('../../../test/recordings/', import.meta.url)
// Older clients stamp no status, `-p` draws no screen: neither can be compared.
/** With two clients the screen of one says nothing about the other. */
const LEFT_OUT = /^(old|print|two_sessions)/
const recordings = readdirSync(FOLDER).filter(
  (name) => name.endsWith('.jsonl') && !LEFT_OUT.test(name),
)

/** A period of one client report, by the client's own clock, and what the screen showed. */
interface Stretch {
  readonly status: string
  readonly from: number
  readonly to: number
  readonly screens: readonly { readonly t: number; readonly shows: string }[]
}

function stretchesOf(name: string): Stretch[] {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').trim().split('\n')
  const reports = lines.map((line): Report => JSON.parse(line))
  const shown = reports
    .filter(({ source }) => source === 'screen')
    .map(({ t, text }) => ({ t, shows: readScreen(String(text)).shows }))
  const words = reports
    .filter(({ source }) => source === 'registry')
    .map((report) => {
      const file = report.file as { status?: string; statusUpdatedAt?: number } | null
      return { status: file?.status ?? 'none', from: file?.statusUpdatedAt ?? report.t }
    })
  return words.map(({ status, from }, index) => {
    const to = words[index + 1]?.from ?? reports.at(-1)?.t ?? from
    return { status, from, to, screens: shown.filter(({ t }) => t >= from && t < to) }
  })
}

describe.each(recordings)('in %s', (name) => {
  const stretches = stretchesOf(name)
  const long = (status: string) =>
    stretches.filter((stretch) => stretch.status === status && stretch.to - stretch.from > 1_000)
  /** What the screen showed after the first second: by then it is drawn and read. */
  const settled = ({ from, screens }: Stretch) =>
    screens.filter(({ t }) => t - from >= 1_000).map(({ shows }) => shows)

  it('[X8] while the client waits its screen shows a dialog, and no work once it is drawn', () => {
    for (const stretch of long('waiting')) {
      expect(stretch.screens.map(({ shows }) => shows)).toContain('dialog')
      expect(settled(stretch)).not.toContain('working')
    }
  })

  it('[X8] a second after the client is idle its screen shows no work and no dialog', () => {
    for (const stretch of long('idle')) {
      expect(settled(stretch)).not.toContain('working')
      expect(settled(stretch)).not.toContain('dialog')
    }
  })

  it('[X8] while the client works for long its screen shows work', () => {
    for (const { screens } of long('busy'))
      expect(screens.some(({ shows }) => shows === 'working' || shows === 'background')).toBe(true)
  })
})

it('[X8] the recordings hold enough to tell', () => {
  const stretches = recordings.flatMap(stretchesOf)
  const shown = (status: string, shows: string) =>
    stretches
      .filter((stretch) => stretch.status === status)
      .flatMap(({ screens }) => screens)
      .filter((screen) => screen.shows === shows).length
  expect(shown('waiting', 'dialog')).toBeGreaterThan(80)
  expect(shown('busy', 'working')).toBeGreaterThan(500)
  expect(shown('idle', 'prompt')).toBeGreaterThan(400)
  expect(shown('shell', 'background')).toBeGreaterThan(5)
})
