import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { runGroup } from './run-group.ts'

const cwd = mkdtempSync(join(tmpdir(), 'vigil-group-'))
afterAll(() => rmSync(cwd, { recursive: true, maxRetries: 10 }))

const sh = (command: string, over: { timeoutMs?: number; keptBytesMax?: number } = {}) =>
  runGroup('/bin/sh', ['-c', command], { cwd, timeoutMs: 30_000, keptBytesMax: 1_000, ...over })

function isAlive(pid: number): boolean {
  try {
    // A zombie is dead, even if its parent has not collected it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let n = 0; n < 100 && isAlive(pid); n++) await sleep(20)
  return !isAlive(pid)
}

describe('[LP53] a command', () => {
  it('reports its exit code and its output', async () => {
    const ran = await sh('echo out; echo err >&2; exit 3')
    expect(ran).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      cut: false,
      timedOut: false,
    })
  })

  it('has no terminal to ask', async () => {
    expect(await sh('read line; echo "got $line"')).toMatchObject({ stdout: 'got \n' })
  })

  it('that is not there, or whose folder is not, is said', async () => {
    const options = { cwd, timeoutMs: 1_000, keptBytesMax: 10 }
    expect(await runGroup('no-such-program', [], options)).toMatchObject({
      exitCode: null,
      trouble: 'no-such-program: no such command',
    })
    const nowhere = { ...options, cwd: join(cwd, 'none') }
    expect(await runGroup('/bin/sh', [], nowhere)).toMatchObject({
      trouble: `${join(cwd, 'none')}: no such folder`,
    })
  })

  it('keeps the end of its output, whole characters only', async () => {
    const ran = await sh('i=0; while [ $i -lt 2000 ]; do echo "ü$i"; i=$((i+1)); done', {
      keptBytesMax: 100,
    })
    expect(ran.cut).toBe(true)
    expect(ran.stdout).toMatch(/ü1998\nü1999\n$/)
    expect(ran.stdout).not.toContain('\ufffd')
    expect(Buffer.byteLength(ran.stdout)).toBeLessThanOrEqual(100)
  })

  it('is ended when its time is up, with all it started', async () => {
    const ran = await sh('sleep 60 & echo $!; sleep 60', { timeoutMs: 200 })
    expect(ran).toMatchObject({ exitCode: null, timedOut: true })
    expect(await gone(Number(ran.stdout))).toBe(true)
  })

  it('is killed when it does not heed', async () => {
    const ran = await sh('trap "" TERM; echo $$; while :; do sleep 0.1; done', { timeoutMs: 200 })
    expect(ran.timedOut).toBe(true)
    expect(await gone(Number(ran.stdout))).toBe(true)
  })

  it('that leaves something running is not waited for, and it is ended', async () => {
    const from = performance.now()
    const ran = await sh('sleep 60 & echo $!')
    expect(ran.exitCode).toBe(0)
    expect(performance.now() - from).toBeLessThan(20_000)
    expect(await gone(Number(ran.stdout))).toBe(true)
  })

  const MODULE = fileURLToPath(new URL('./run-group.ts', import.meta.url))
  const RUNS = (command: string) => `const { runGroup } = await import(${JSON.stringify(MODULE)})
    runGroup('/bin/sh', ['-c', ${JSON.stringify(command)}],
      { cwd: ${JSON.stringify(cwd)}, timeoutMs: 60000, keptBytesMax: 10 })`
  const start = (script: string) => spawn(process.execPath, ['--input-type=module', '-e', script])

  it('ends with the process that runs it', async () => {
    const runner = start(`${RUNS('echo $$ > pid; while :; do sleep 1; done')}
      process.stdout.write('heeds signals')`)
    await once(runner.stdout, 'data')
    const path = join(cwd, 'pid')
    const isWritten = () => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n')
    for (let n = 0; n < 1_000 && !isWritten(); n++) await sleep(20)
    const ended = new Promise((resolve) => runner.once('exit', (_, signal) => resolve(signal)))
    runner.kill('SIGTERM')
    expect(await ended).toBe('SIGTERM')
    expect(await gone(Number(readFileSync(path, 'utf8')))).toBe(true)
  })

  it('[LP38] does not begin if the process that runs it is killed before its guard', async () => {
    const runner = start(`import module from 'node:module'
      const node = process.getBuiltinModule('node:child_process')
      const { spawn } = node
      let child
      node.spawn = (...words) => {
        if (child) {
          process.getBuiltinModule('node:fs').writeSync(1, String(child.pid))
          process.kill(process.pid, 'SIGKILL')
        }
        return (child = spawn(...words))
      }
      module.syncBuiltinESMExports()
      ${RUNS('touch began; while :; do sleep 1; done')}`)
    let pid = ''
    runner.stdout.on('data', (part) => (pid += part))
    await once(runner, 'close')
    expect(Number(pid)).toBeGreaterThan(0)
    expect(await gone(Number(pid))).toBe(true)
    expect(existsSync(join(cwd, 'began'))).toBe(false)
  })
})
