import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from '../../src/client/ask.ts'
import { cpuMsOf, Stage } from './stage.ts'

const WINDOWS = 20
const SECONDS = 10
const TIMES_A_SECOND = 10
const LINES = 20
const MARKS = 60

/**
 * The cost of watching a pane: 20 windows print 4,000 lines a second, first without a viewer, then
 * with one viewer of one pane, with and without a client attached in a terminal. Then, while all
 * are quiet, how long a printed line takes to reach the viewer.
 */
export async function watching() {
  const stage = new Stage(WINDOWS)
  stage.set(false)
  await stage.home.start()
  for (let i = 0; i < WINDOWS; i++) stage.hook(i, 'SessionStart', { source: 'startup' })
  await stage.taken()
  const ttys = stage.panes.map(({ tty }) => openSync(tty, 'w'))
  const print = (text: string) => {
    for (const tty of ttys) writeSync(tty, text)
  }
  const text = `${'x'.repeat(70)}\r\n`.repeat(LINES)
  const printing = setInterval(() => print(text), 1_000 / TIMES_A_SECOND)
  await share(stage)
  const nobody = await share(stage)
  const viewer = await watch(stage)
  const one = await share(stage)
  const pictures = viewer.pictures / (SECONDS + 3)
  stage.leave()
  const alone = await share(stage)
  clearInterval(printing)
  const unattachedMs = await delays(viewer, (line) => writeSync(ttys[0] ?? 0, line))
  viewer.close()
  for (const tty of ttys) closeSync(tty)
  await stage.end()
  return {
    windows: WINDOWS,
    linesPerSecond: WINDOWS * LINES * TIMES_A_SECOND,
    nobodyPercent: nobody.daemon,
    watchedPercent: one.daemon - nobody.daemon,
    watchedTmuxPercent: one.tmux - nobody.tmux,
    unattachedPercent: alone.daemon - nobody.daemon,
    unattachedTmuxPercent: alone.tmux - nobody.tmux,
    picturesPerSecond: pictures,
    unattachedMs,
    attachedMs: await attachedDelay(),
  }
}

async function attachedDelay(): Promise<number> {
  const stage = new Stage(1)
  stage.set(false)
  await stage.home.start()
  stage.hook(0, 'SessionStart', { source: 'startup' })
  await stage.taken()
  const tty = openSync(stage.panes[0]?.tty ?? '', 'w')
  const viewer = await watch(stage)
  await sleep(1_000)
  const medianMs = await delays(viewer, (line) => writeSync(tty, line))
  viewer.close()
  closeSync(tty)
  await stage.end()
  return medianMs
}

/** The median time of a line, each printed after a pause of another length. */
async function delays(viewer: Viewer, print: (line: string) => void): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < MARKS; i++) {
    await sleep(100 + i * 5)
    const mark = `mark-${i}-`
    const begun = performance.now()
    print(`${mark}\r\n`)
    await viewer.sees(mark)
    took.push(performance.now() - begun)
  }
  return took.toSorted((a, b) => a - b)[Math.floor(MARKS / 2)] ?? Number.NaN
}

interface Viewer {
  readonly pictures: number
  sees(text: string): Promise<void>
  close(): void
}

async function watch(stage: Stage): Promise<Viewer> {
  const { folders } = stage.home
  const path = '/v1/sessions/bench-0/screen'
  const response = await open(folders, { path, silenceMaxMs: 60_000 })
  if (response.statusCode !== 200)
    throw new Error(`the screen is not shown: ${response.statusCode}`)
  let pictures = 0
  let wanted = ''
  let seen = () => {}
  response.setEncoding('utf8').on('data', (chunk: string) => {
    pictures += chunk.split('\n\n').length - 1
    if (wanted !== '' && chunk.includes(wanted)) seen()
  })
  response.on('error', () => {})
  return {
    get pictures() {
      return pictures
    },
    sees: (text) =>
      new Promise((resolve) => {
        wanted = text
        seen = resolve
      }),
    close: () => response.destroy(),
  }
}

async function share(stage: Stage): Promise<{ daemon: number; tmux: number }> {
  await sleep(3_000)
  const server = Number(stage.tmux('display-message', '-p', '#{pid}'))
  const before = [cpuMsOf(stage.home.pid), cpuMsOf(server)] as const
  await sleep(SECONDS * 1_000)
  const after = [cpuMsOf(stage.home.pid), cpuMsOf(server)] as const
  return {
    daemon: (after[0] - before[0]) / (SECONDS * 10),
    tmux: (after[1] - before[1]) / (SECONDS * 10),
  }
}
