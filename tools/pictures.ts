/**
 * Makes the pictures of README and the guide from the demo: the terminal view and the page.
 *
 *   npm run pictures [folder] [name]      into docs/pictures/ unless another folder is named; only
 *                                         pictures whose names begin with it
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { openStage, type Stage } from '../src/app/stage.ts'
import { View } from '../src/surfaces/tui/view.ts'
import { CHROMIUM, FLAGS } from '../test/support/chromium.ts'
import { type TerminalCell, VirtualTerminal } from '../test/support/terminal.ts'
import { openFleet } from './picture-fleet.ts'
import { PICTURES, type Picture, type Scheme } from './picture-list.ts'

const TERMINAL = { columns: 110, rows: 32 }
/** Until everything that moves has come to rest. */
const SETTLED_MS = 2_500
const NOTICE_MS = 5_000

const LOOKS = {
  light: { paper: '#fdfdfb', ink: '#24292f', answer: 'ffff/ffff/ffff' },
  dark: { paper: '#16181d', ink: '#d5d8de', answer: '0000/0000/0000' },
} as const

/** The sixteen of a terminal whose user has changed none. */
const SIXTEEN = [
  ...['#000000', '#c5413b', '#4c9a4f', '#c99a2e', '#3b78c4', '#a65bb5', '#3a97a8', '#c7ccd1'],
  ...['#6e7681', '#ff6a63', '#6bc46d', '#e3b341', '#6ca6f5', '#d08ae0', '#56c4d6', '#ffffff'],
]

process.env.TERM = 'xterm-256color'
const folder = process.argv[2] ?? fileURLToPath(new URL('../docs/pictures', import.meta.url))
const wanted = PICTURES.filter(({ file }) => file.startsWith(process.argv[3] ?? ''))
const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] })
for (const isFleet of [false, true]) {
  const pictures = wanted.filter(({ fleet = false }) => fleet === isFleet)
  if (pictures.length === 0) continue
  const stage = await (isFleet ? openFleet() : openStage({ speed: 1, hasPast: false }))
  for (const picture of pictures)
    await (picture.of === 'terminal' ? pictureOfTerminal : pictureOfPage)(stage, browser, picture)
  await stage.close()
}
await browser.close()
process.exit()

async function pictureOfTerminal(
  { client }: Stage,
  from: Browser,
  { scheme, file, fleet }: Picture,
): Promise<void> {
  const terminal = new VirtualTerminal(TERMINAL.columns, TERMINAL.rows)
  const { stdin, stdout } = terminal
  // What a terminal says of itself when it is asked.
  terminal.type(`\u001b]11;rgb:${LOOKS[scheme].answer}\u001b\\\u001b[?62c`)
  const view = new View({ client, stdin, stdout, colours: true, jump: async () => undefined })
  const run = view.run()
  await sleep(SETTLED_MS)
  if (fleet) await byMachine(terminal)
  const page = await from.newPage({
    viewport: { width: 1000, height: 700 },
    deviceScaleFactor: 1.5,
  })
  await page.setContent(htmlOf(terminal.cells, scheme))
  await page.locator('pre').screenshot({ path: join(folder, file) })
  await page.close()
  terminal.type('q')
  await run
}

/** By project first, then by machine. */
async function byMachine(terminal: VirtualTerminal): Promise<void> {
  for (const key of ['g', 'g']) terminal.type(key)
  // What the key did is said for five seconds.
  await sleep(NOTICE_MS + SETTLED_MS)
}

async function pictureOfPage(
  { client }: Stage,
  from: Browser,
  { of, scheme, file }: Picture,
): Promise<void> {
  const viewport = of === 'terminal' ? null : of
  const context = await from.newContext({ viewport, colorScheme: scheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const { code } = await client.browserCode()
  const { address } = await client.health()
  await page.goto(`${address}/#code=${code}`)
  await page.getByTestId('list').waitFor()
  await page.waitForTimeout(1_000)
  await page.locator('[data-id]').first().click()
  await page.waitForTimeout(SETTLED_MS)
  await page.screenshot({ path: join(folder, file) })
  await context.close()
}

function htmlOf(rows: readonly (readonly TerminalCell[])[], scheme: Scheme): string {
  const { paper, ink } = LOOKS[scheme]
  const lines = rows.map((cells) => cells.map((cell) => spanOf(cell)).join('')).join('\n')
  const style = `margin:0;padding:18px 20px;width:max-content;border-radius:8px;font:14px/1.35
    'DejaVu Sans Mono',monospace;background:${paper};color:${ink};--ink:${ink}`
  return `<body style="margin:0"><pre style="${style}">${lines}</pre></body>`
}

function letterOf(colour: number): string {
  return colour >= 0 ? cssOf(colour) : 'var(--ink)'
}

function spanOf({ text, colour, behind, bold, dim }: TerminalCell): string {
  const rules = [
    `color:${dim ? `color-mix(in srgb, ${letterOf(colour)} 65%, transparent)` : letterOf(colour)}`,
    ...(behind >= 0 ? [`background:${cssOf(behind)}`] : []),
    ...(bold ? ['font-weight:700'] : []),
  ]
  const letter = text.replace('&', '&amp;').replace('<', '&lt;')
  return `<span style="${rules.join(';')}">${letter}</span>`
}

/** The 256 colours of xterm: sixteen, a cube of six, and greys. */
function cssOf(number: number): string {
  if (number < 16) return SIXTEEN[number] ?? '#000'
  if (number >= 232) return `rgb(${Array(3).fill(8 + 10 * (number - 232))})`
  const at = number - 16
  const parts = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6]
  return `rgb(${parts.map((part) => (part === 0 ? 0 : 55 + 40 * part))})`
}
