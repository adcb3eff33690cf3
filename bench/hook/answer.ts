import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { emptied, installedHook } from './installed.ts'
import { takeTurns } from './rounds.ts'

const SESSION = '5e551045-0000-4000-8000-000000000001'
const ROUNDS = 60
const RUNS = 10

/**
 * The hook of a Stop: one that may not answer, one that may, and one in a loop; and the hook of a
 * request while answering is off.
 */
export async function answers(root: string) {
  const installed = installedHook(root)
  const daemon = await stubDaemon(installed.run)
  const payload = join(root, 'stop.json')
  writeFileSync(payload, `{"hook_event_name":"Stop","text":"${'x'.repeat(2000)}"}\n`)
  const kinds = {
    plain: { words: '', armed: false },
    'may ask': { words: 'answer', armed: false },
    armed: { words: 'answer', armed: true },
    request: { words: 'answer request', armed: false },
  }
  try {
    const times = await takeTurns(Object.keys(kinds), ROUNDS, async (kind) => {
      const { words, armed } = kinds[kind as keyof typeof kinds]
      arm(installed.run, armed)
      const before = daemon.asked()
      const ms = await timed(`'${installed.hook}' ${words} <'${payload}'`)
      emptied(installed.spool, RUNS)
      const asked = daemon.asked() - before
      if (asked !== (armed ? RUNS : 0)) throw new Error(`${kind}: asked ${asked} times`)
      return ms
    })
    return { rounds: ROUNDS, times }
  } finally {
    daemon.stop()
  }
}

/** By a shell's loop, as the script alone; asynchronously, because this process answers. */
async function timed(command: string): Promise<number> {
  const loop = `i=0; while [ $i -lt ${RUNS} ]; do ${command}; i=$((i + 1)); done`
  const env = { ...process.env, CLAUDE_CODE_SESSION_ID: SESSION }
  const began = performance.now()
  const child = spawn('/bin/sh', ['-c', loop], { stdio: 'ignore', env })
  await new Promise((resolve) => child.on('exit', resolve))
  return (performance.now() - began) / RUNS
}

function arm(run: string, armed: boolean): void {
  const folder = join(run, 'armed')
  rmSync(folder, { recursive: true, force: true })
  if (!armed) return
  mkdirSync(folder)
  writeFileSync(join(folder, SESSION), '')
}

async function stubDaemon(run: string) {
  writeFileSync(join(run, 'token'), 'token\n')
  let count = 0
  const server = createServer((from, to) => {
    count += 1
    from.resume().on('end', () => to.end('{"act":"block","reason":"go on"}'))
  })
  await new Promise<void>((resolve) => server.listen(join(run, 'vigil.sock'), resolve))
  return { asked: () => count, stop: () => server.close() }
}
