import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DaemonHome, turn } from '../support/daemon.ts'
import { whole } from './hostile.ts'

const FILES = 20_000

it('[S3] 20,000 reports wait when it starts: all are taken once, the oldest first', async () => {
  const home = new DaemonHome()
  try {
    const begunS = Date.now() / 1000 - FILES
    // Pids say nothing about order: 7,919 is prime to the count, so each name comes once.
    for (let index = 0; index < FILES; index++) {
      const path = join(home.folders.spool, `hook.${((index * 7_919) % FILES) + 1}`)
      const event = index < FILES - 100 ? 'UserPromptSubmit' : 'Stop'
      writeFileSync(path, whole(turn(`s${index % 100}`, index, event)))
      utimesSync(path, begunS + index, begunS + index)
    }
    const daemon = await home.start()
    await home.taken()
    const nonces = [...home.nonces()]
    expect(nonces.map(([nonce]) => Number(nonce))).toEqual(
      Array.from({ length: FILES }, (_, n) => n),
    )
    expect(nonces.filter(([, times]) => times !== 1)).toEqual([])
    expect(new Set((await home.states()).map((line) => line.split(' ')[1]))).toEqual(
      new Set(['idle']),
    )
    expect(daemon.isOver).toBe(false)
  } finally {
    await home.end()
  }
})
