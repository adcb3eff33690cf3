import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DaemonHome, until } from '../support/daemon.ts'

const DAEMON = fileURLToPath(new URL('surfaced-daemon.ts', import.meta.url))

let home: DaemonHome
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

const WAYS = ['at a change', 'in a timer', 'in a promise', 'in a watch', 'when it was saved']

describe('a surface that fails in every way there is', () => {
  it('[VW20][VW21] ends neither the daemon nor the surface beside it, and is said', async () => {
    const daemon = await home.start(DAEMON)
    const hook = (hook_event_name: string) =>
      home.write({ session_id: 'own-1', hook_event_name, tool_name: 'Bash' })
    hook('UserPromptSubmit')
    await home.taken()
    hook('PermissionRequest')
    await until('the other surface has looked at it', () => noted().includes('own-1 waiting read'))
    await until('all was said', () => WAYS.every((way) => home.log().includes(way)))
    expect(daemon.isOver).toBe(false)
    const { troubles } = await home.client.health()
    expect(troubles).toEqual([expect.stringMatching(/^surface failing: failed: /)])
    await home.client.stop('the test')
    expect((await daemon.ended).code).toBe(0)
    expect(home.log()).toContain('at the end')
    expect(noted()).toContain('own-1 waiting unread')
    expect(noted().at(-1)).toBe('ended, true')
  })

  it('[VW21] is not blamed for an error of the daemon’s own', async () => {
    home.env.OWN_FAULT = 'yes'
    const daemon = home.spawn(['daemon', '--quiet'], DAEMON)
    expect((await daemon.ended).code).toBe(1)
    const said = home
      .log()
      .split('\n')
      .filter((line) => line.includes('of its own'))
    expect(said).toEqual([expect.stringContaining('the daemon cannot continue')])
  })
})

function noted(): string[] {
  const file = join(home.folders.state, 'noted')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}
