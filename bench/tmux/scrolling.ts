import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf, Stage } from './stage.ts'

const WINDOWS = 50
const SECONDS = 15
const TIMES_A_SECOND = 10
const LINES = 20

/**
 * The daemon and its tmux client, with an agent in each of 50 windows that all print; off, and on.
 * The first measurement, of a daemon that has just started, does not count.
 */
export async function scrolling() {
  const stage = new Stage(WINDOWS)
  stage.set(false)
  await stage.home.start()
  for (let i = 0; i < WINDOWS; i++) {
    stage.hook(i, 'SessionStart', { source: 'startup' })
    stage.hook(i, 'UserPromptSubmit', { prompt: 'x' })
  }
  await stage.taken()
  const ttys = stage.panes.map(({ tty }) => openSync(tty, 'w'))
  const text = Buffer.from(`${'x'.repeat(70)}\r\n`.repeat(LINES))
  const printing = setInterval(() => {
    for (const tty of ttys) writeSync(tty, text)
  }, 1_000 / TIMES_A_SECOND)
  await share(stage)
  const offPercent = await share(stage)
  stage.set(true)
  const onPercent = await share(stage)
  clearInterval(printing)
  for (const tty of ttys) closeSync(tty)
  await stage.end()
  return {
    windows: WINDOWS,
    linesPerSecond: WINDOWS * LINES * TIMES_A_SECOND,
    offPercent,
    onPercent,
    addedPercent: onPercent - offPercent,
  }
}

async function share(stage: Stage): Promise<number> {
  await sleep(3_000)
  const before = cpuMsOf(stage.home.pid)
  await sleep(SECONDS * 1_000)
  return (cpuMsOf(stage.home.pid) - before) / (SECONDS * 10)
}
