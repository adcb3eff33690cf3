import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AskedCall } from '../../src/agents/answers.ts'
import { paneAnswers } from '../../src/agents/claude/pane-answer.ts'
import type { DialogAnswer } from '../../src/daemon/panes/dialog.ts'
import { LocalPanes } from '../../src/daemon/panes/panes.ts'
import type { By } from '../../src/daemon/panes/shapes.ts'
import { until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { aSession } from '../support/sessions.ts'
import { PrivateTmux } from '../tmux/support.ts'

const program = fileURLToPath(new URL('fake-dialog.js', import.meta.url))
const ADA: By = { who: 'Ada', where: 'page' }
const ID = 'dialog-0'

let tmux: PrivateTmux
let panes: LocalPanes
let pane = ''
let noted: string[]
beforeEach(() => {
  tmux = new PrivateTmux()
  noted = []
})
afterEach(async () => {
  panes?.close()
  await tmux.end()
})

const screen = () => tmux.run(['capture-pane', '-p', '-t', pane])
const file = () => join(tmux.tmpdir, 'keys')
const pressed = () => (existsSync(file()) ? readFileSync(file(), 'utf8') : '')

async function shows(...dialogs: string[]): Promise<void> {
  const command = ['env', `PATH=${process.env.PATH}`, process.execPath, program, file()]
  const format = '#{pane_id} #{pane_pid}'
  const size = ['-x', '80', '-y', '24', '-P', '-F', format]
  const made = tmux.run(['new-session', '-d', ...size, ...command, ...dialogs])
  const [name = '', pid] = made.split(' ')
  pane = name
  await until('it is drawn', () => screen().includes('❯'))
  const where = { tmuxPane: pane, tmuxSocket: tmux.socket(), pid: Number(pid) }
  const session = aSession({ id: ID, state: 'waiting', ...where })
  const acts = { note: (act: object) => ({ ...act, id: 1, at: 0 }) as never }
  panes = new LocalPanes({ session: () => session, acts, now: Date.now, complain: () => {} })
}

const on = () => panes.setTyping(ID, true, ADA)
const keysOn: DialogAnswer['keysOn'] = (text) => {
  const input = { command: 'touch a', description: 'touch' }
  const asked: AskedCall = {
    ...{ session: ID, kind: 'permission', tool: 'Bash', actor: null, input, cut: false },
    ...{ questions: [], plan: null, offers: [] },
  }
  return paneAnswers.keysFor(asked, text, { choice: 'allow' })
}
const note = (keys: readonly string[]) => void noted.push(`${keys} after ${pressed()}.`)
const allow = (over: Partial<DialogAnswer> = {}) => panes.answer(ID, { keysOn, note, ...over })
const OTHER = 'the screen shows another dialog, or only part of this one'

describeUnless(NO_TMUX)('a dialog in its pane', () => {
  it('[AN34] is looked at and answered only where typing is allowed, which is said', async () => {
    await shows('touch a')
    const off = `typing is off; turn it on with \`vigil typing ${ID} on\``
    expect(await panes.whyUnanswerable(ID, keysOn)).toBe(off)
    await expect(allow()).rejects.toThrow('typing is off')
    expect([noted, pressed()]).toEqual([[], ''])
    on()
    expect(await panes.whyUnanswerable(ID, keysOn)).toBeUndefined()
  })

  it('[AN33][AN20] takes its answer once it is noted, and is seen to be gone', async () => {
    await shows('touch a')
    on()
    await allow()
    expect([noted, pressed()]).toEqual([['1 after .'], '1'])
    expect(screen()).not.toContain('Do you want to proceed?')
  })

  it('[AN33] that is another one takes none', async () => {
    await shows('touch b')
    on()
    expect(await panes.whyUnanswerable(ID, keysOn)).toBe(OTHER)
    await expect(allow()).rejects.toThrow(OTHER)
    expect([noted, pressed()]).toEqual([[], ''])
  })

  it('[AN33] that becomes another one at the last moment takes none', async () => {
    await shows('touch a', 'touch b')
    on()
    const changes = (keys: readonly string[]) => {
      note(keys)
      tmux.run(['send-keys', '-t', pane, 'n'])
      while (!screen().includes('touch b'));
    }
    await expect(allow({ note: changes })).rejects.toThrow(OTHER)
    expect([noted, pressed()]).toEqual([['1 after .'], ''])
  })

  it('[AN33][AN20] takes none that the log does not take', async () => {
    await shows('touch a')
    on()
    const full = () => {
      throw new Error('disk full')
    }
    await expect(allow({ note: full })).rejects.toThrow('disk full')
    expect(pressed()).toBe('')
  })

  it('[AN33] that still stands is said to', async () => {
    await shows('touch a')
    on()
    const wrong: DialogAnswer['keysOn'] = (text) => {
      const found = keysOn(text)
      return 'keys' in found ? { keys: ['7'] } : found
    }
    await expect(allow({ keysOn: wrong })).rejects.toThrow(
      '7 was typed, but the dialog is still open',
    )
    expect(pressed()).toBe('7')
  })

  it('[AN33] behind another program, or gone, takes none', async () => {
    await shows('touch a')
    on()
    tmux.run(['copy-mode', '-t', pane])
    await expect(allow()).rejects.toThrow('its pane is in copy mode; leave it with q')
    expect([noted, pressed()]).toEqual([[], ''])
  })
})
