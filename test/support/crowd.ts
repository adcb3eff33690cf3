import { type DaemonHome, OWN } from './daemon.ts'

/** Sessions with a long request each, as real clients make them: one dialog each. */
export async function crowd(home: DaemonHome, count: number, chars: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const command = `echo ${n} ${'x'.repeat(chars)}`
    const call = { tool_name: 'Bash', tool_input: { command } }
    const session = { session_id: `${OWN}crowd-${n}`, cwd: '/p' }
    home.write({ ...session, hook_event_name: 'PermissionRequest', ...call }, { asks: 1 })
    // Some of them at a time, so that the spool does not fill the disk.
    if (n % 50 === 0) await home.taken()
  }
  await home.taken()
}

export interface Listed {
  readonly ms: number
  readonly bytes: number
  readonly count: number
  readonly whole: number
}

/** This many listings at once, and how long all of them took. */
export async function listings(home: DaemonHome, count: number): Promise<Listed> {
  const begun = performance.now()
  const all = await Promise.all(Array.from({ length: count }, () => home.client.requests()))
  const ms = performance.now() - begun
  const { requests } = all[0] ?? { requests: [] }
  const whole = requests.filter(({ cut }) => !cut).length
  return { ms, bytes: Buffer.byteLength(JSON.stringify(requests)), count: requests.length, whole }
}
