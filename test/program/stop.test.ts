import { spawn } from 'node:child_process'
import { afterEach, beforeEach, expect } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { itUnless, NO_PROC } from '../support/needs.ts'

let home: DaemonHome

beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

itUnless(NO_PROC)('[CM27] a daemon that its parent does not bury has ended', async () => {
  const daemon = `'${process.execPath}' '${COMMAND}' daemon --quiet`
  // The shell gives its place to a program that never asks how its children ended.
  const parent = spawn('/bin/sh', ['-c', `${daemon} & exec sleep 600`], { env: home.env })
  try {
    await until('the daemon answers', () => home.announced() !== undefined)
    const { code, stdout } = await home.run(['stop'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('stopped (pid') })
  } finally {
    parent.kill('SIGKILL')
  }
})
