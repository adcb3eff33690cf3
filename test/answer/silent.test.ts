import { spawn } from 'node:child_process'
import { afterEach, beforeEach, expect } from 'vitest'
import { DaemonHome, until } from '../support/daemon.ts'
import { itUnless } from '../support/needs.ts'

const ID = '5e551045-0000-4000-8000-000000000001'

let home: DaemonHome
const client = spawn('sleep', ['600'], { stdio: 'ignore' })
beforeEach(async () => {
  home = new DaemonHome()
  await home.start()
})
afterEach(async () => {
  client.kill('SIGKILL')
  await home.end()
})

const within = process.env.CLAUDECODE ? 'an agent runs this test, and may not answer' : undefined

itUnless(within)(
  '[AN31] a session without hooks that waits is named, with the way to it',
  async () => {
    const pid = client.pid ?? 0
    const t = Date.now()
    const said = { status: 'waiting', waitingFor: 'input needed', statusUpdatedAt: t }
    const file = { pid, sessionId: ID, cwd: '/home/ada/quiet', ...said }
    await home.client.post({ key: 'silent', report: { source: 'registry', pid, file, t } })
    await until('it waits', async () => (await home.client.session(ID))?.state === 'waiting')
    const lines = [
      'quiet waits for question',
      '  cannot be answered here: it was just answered, or has no hooks (run `vigil doctor`)',
      '  its terminal: vigil jump 5e551045',
      '',
    ]
    expect((await home.run(['answer'])).stdout).toContain(lines.join('\n'))
    expect((await home.run(['answer', 'quiet'])).stdout.split('\n')).toEqual(lines)
    const { code, stderr } = await home.run(['answer', 'quiet', 'allow'])
    expect([code, stderr.split('\n')]).toEqual([2, [`vigil: ${lines[0]}`, ...lines.slice(1)]])
  },
)
