import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WaitPipes } from '../../src/daemon/requests/waiting-hooks.ts'
import { until } from '../support/daemon.ts'
import { RequestRig } from '../support/requests.ts'

const ALLOW = { choice: 'allow', where: 'page' } as const

let run: string
let pipes: WaitPipes
let complaints: string[]
let shells: ChildProcess[]
const at = (...names: string[]) => join(run, 'waiting', ...names)

beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'vigil-run-'))
  complaints = []
  shells = []
  pipes = new WaitPipes({ run, spool: join(run, 'spool') }, (what) => complaints.push(what))
})

afterEach(() => {
  for (const shell of shells) shell.kill('SIGKILL')
  rmSync(run, { recursive: true })
})

/** A shell that waits as a hook does; returns the line that it gets. */
function waiting(name: string): Promise<string> {
  execFileSync('mkfifo', [at(name)])
  const script = 'exec 7<>"$0"; read -r word <&7; echo "$word"'
  const shell = spawn('/bin/sh', ['-c', script, at(name)], { stdio: ['ignore', 'pipe', 'ignore'] })
  shells.push(shell)
  return new Promise((resolve) => {
    shell.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
}

describe('the folder of hooks that wait', () => {
  it('[AN12] is there while answering is on, for its user alone', () => {
    pipes.open()
    pipes.open()
    expect(statSync(at()).mode & 0o777).toBe(0o700)
    pipes.close()
    expect(existsSync(at())).toBe(false)
    pipes.close()
    expect(complaints).toEqual([])
  })

  it('[AN10] a hook in it is heard of, told once, and no other is', async () => {
    pipes.open()
    const [first, second] = [waiting('hook.1'), waiting('hook.2')]
    await until('both wait', () => pipes.waits('hook.1') && pipes.waits('hook.2'))
    expect(pipes.send('hook.1', 'answer')).toBe(true)
    expect(await first).toBe('answer')
    expect(pipes.waits('hook.2')).toBe(true)
    pipes.endAllBut((name) => name === 'hook.2')
    expect(existsSync(at('hook.1'))).toBe(false)
    pipes.close()
    expect(await second).toBe('end')
    expect(pipes.send('hook.2', 'end')).toBe(false)
  })

  it('[AN18] a pipe without a reader, a file and a link are no hook', () => {
    pipes.open()
    execFileSync('mkfifo', [at('hook.1'), join(run, 'pipe')])
    writeFileSync(at('hook.2'), '')
    symlinkSync(join(run, 'pipe'), at('hook.3'))
    for (const name of ['hook.1', 'hook.2', 'hook.3', 'hook.4', '../pipe', ''])
      expect([pipes.waits(name), pipes.send(name, 'end')]).toEqual([false, false])
    expect(existsSync(join(run, 'pipe'))).toBe(true)
  })

  it('[AN17] a hook whose report lies in the spool is left waiting', async () => {
    pipes.open()
    const told = waiting('hook.1')
    await until('it waits', () => pipes.waits('hook.1'))
    execFileSync('mkdir', [join(run, 'spool')])
    writeFileSync(join(run, 'spool', 'hook.1'), '')
    pipes.endAllBut(() => false)
    expect(pipes.waits('hook.1')).toBe(true)
    rmSync(join(run, 'spool', 'hook.1'))
    pipes.endAllBut(() => false)
    expect(await told).toBe('end')
  })
})

it('[AN30] each change of a session’s requests is reported once', async () => {
  const rig = new RequestRig()
  const { id } = rig.asks()
  rig.hook('one', 'Notification')
  expect(rig.told).toEqual([{ session: 'one', asks: [id] }])
  rig.answer(id, ALLOW, 'ada')
  expect(rig.told.slice(1)).toEqual([{ session: 'one', asks: [] }])
})
