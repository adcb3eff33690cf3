import type { Command } from 'commander'
import { BadInput } from '../surfaces/cli/bad-input.ts'
import { out } from '../surfaces/cli/output.ts'
import { drawFleet } from '../surfaces/cli/session-table.ts'

interface Options {
  readonly speed: number
  readonly page?: boolean
}

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('show a dozen simulated agents at work, which you can answer')
    .option('--page', 'show the page in your browser instead of the terminal view')
    .option('--speed <factor>', 'how many times faster than real time', parseSpeed, 1)
    .addHelpText('after', HELP)
    .action((options: Options) => demo(options))
}

const HELP = `
The demo does not read or change your sessions: it has its own daemon and folder, which it removes
when it ends. Its agents and their figures of the last month are simulated. Answer their requests,
and they continue accordingly.

Examples:
  vigil demo
  vigil demo --page`

async function demo({ speed, page }: Options): Promise<void> {
  const { hasScreen } = await import('../surfaces/cli/live.ts')
  if (page) return onPage(speed)
  if (!hasScreen()) return once()
  // The exit handler removes the files that exist by then.
  for (const signal of SIGNALS) process.on(signal, () => process.exit(1))
  const stage = await opened(speed)
  const { untilLeft } = await import('../surfaces/cli/live.ts')
  const closed = await untilLeft(stage.client, async () => PLAYED)
  if (closed) out.line(PLAYED)
  await stage.close()
  process.exit()
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const PLAYED = 'this is a demo: its agents have no window to go to'

async function opened(speed: number) {
  const { openStage } = await import('./stage.ts')
  return openStage({ speed }).catch((error: Error) => {
    throw new BadInput(`the demo cannot start: ${error.message}`, 1)
  })
}

/** Runs until Ctrl-C, because the page's daemon runs in this process. */
async function onPage(speed: number): Promise<void> {
  // Listens before there are files to leave behind.
  const over = ended()
  const stage = await opened(speed)
  const { codeFor, openedBy } = await import('../surfaces/cli/open.ts')
  try {
    const { address, code, file } = await codeFor(stage.client, { file: true })
    const signedIn = `${address}/#code=${code}`
    if (await openedBy(file)) out.lines([`The demo is at ${address}, open in your browser.`])
    else
      out.lines([
        'Open this address in a browser. It works once, within two minutes:',
        '',
        signedIn,
      ])
    out.lines(['', 'Press Ctrl-C to end the demo.'])
    await over
  } finally {
    await stage.close()
  }
  process.exit()
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
}

/** Without a terminal, prints the first frame at once. */
async function once(): Promise<void> {
  const { readStory } = await import('../surfaces/demo/story.ts')
  const { firstPicture } = await import('../surfaces/demo/first-picture.ts')
  const now = Date.now()
  const lines = drawFleet(firstPicture(readStory(), now), now, out.width, out.paint)
  out.lines(lines)
}

function parseSpeed(value: string): number {
  const speed = Number(value)
  if (!Number.isFinite(speed) || speed < 0.1 || speed > 100)
    throw new BadInput(`--speed ${value}: expected a factor from 0.1 to 100`)
  return speed
}
