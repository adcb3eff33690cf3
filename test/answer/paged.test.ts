import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { DaemonHome } from '../support/daemon.ts'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { describeUnless } from '../support/needs.ts'
import { OnTerminal } from '../support/on-terminal.ts'

const home = new DaemonHome()
let hook: WaitingHook
let count = 0
let id = ''
beforeAll(() => home.start())
beforeEach(async () => {
  count += 1
  id = `own-${count}`
  home.write({ session_id: id, cwd: '/a', hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  await home.taken()
  const command = Array.from({ length: 60 }, (_, at) => `echo ${at + 1}.`).join('\n')
  hook = await hookAsks(home, id, 'Bash', { command, sudo: true })
})
afterAll(() => home.end())

/** Sixty lines in pages of nineteen rows, and one below them. */
const onTerminal = (...args: string[]) =>
  new OnTerminal([process.execPath, COMMAND, 'answer', ...args], home.env, {
    columns: 60,
    rows: 20,
  })

const within = process.env.CLAUDECODE ? 'an agent runs this test, and may not answer' : undefined

describeUnless(within)('[SH6] more than a terminal has rows for', () => {
  it('is shown page by page, and asked about below the last', async () => {
    const terminal = onTerminal(id, 'allow')
    for (let page = 1; page <= 3; page++) {
      await terminal.says(`page ${page} of 4`)
      expect(terminal.said).not.toContain('[y/N]')
      const [, ...rows] = terminal.since(`page ${page - 1} of`).split('\n')
      expect(rows.length).toBeLessThanOrEqual(20)
      await terminal.pause()
      terminal.types(' ')
    }
    await terminal.says('[y/N]')
    for (let line = 1; line <= 60; line++) expect(terminal.said).toContain(`echo ${line}.`)
    expect(terminal.said).toContain('! sudo: true')
    terminal.types('y\n')
    await terminal.ended
    expect(JSON.parse(await hook.said).hookSpecificOutput.decision.behavior).toBe('allow')
  })

  it('is not passed over by what was typed before it was in sight', async () => {
    const terminal = onTerminal(id, 'allow')
    terminal.types('   y\ny\n')
    await terminal.says('page 1 of 4')
    terminal.types('    y\ny\n')
    await terminal.pause()
    await terminal.pause()
    expect(terminal.said).not.toMatch(/page 2|\[y\/N\]/)
    terminal.types('q')
    await terminal.ended
    expect(terminal.said).toContain('not answered')
    expect((await home.client.requests(id)).requests).toHaveLength(1)
    hook.end()
  })

  it('is not allowed by a line that was typed before the question', async () => {
    const terminal = onTerminal(id, 'deny', '--word', 'no')
    await terminal.ended
    home.write({ session_id: id, cwd: '/a', hook_event_name: 'UserPromptSubmit', prompt: 'x' })
    await home.taken()
    const small = await hookAsks(home, id, 'Bash', { command: 'ls' })
    const again = onTerminal(id, 'allow')
    again.types('y\n')
    await again.says('Allow this?')
    again.types('y\n')
    await again.says('[y/N]')
    await again.pause()
    expect((await home.client.requests(id)).requests).toHaveLength(1)
    again.types('\n')
    await again.ended
    expect(again.said).toContain('not answered')
    small.end()
  })

  it('has its code on the last page of a listing', async () => {
    const terminal = onTerminal(id)
    await terminal.says('page 1 of 4')
    expect(terminal.said).not.toContain('--request')
    await terminal.pause()
    terminal.types('q')
    await terminal.ended
    expect(terminal.said).not.toContain('--request')
    hook.end()
  })
})
