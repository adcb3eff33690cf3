import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DaemonHome, type Running, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, allIn, homeFor, isAgain, setIn, shows } from './agent.ts'
import { PrivateTmux } from './support.ts'

let tmux: PrivateTmux
let home: DaemonHome
let daemon: Running
beforeEach(async () => {
  tmux = new PrivateTmux()
  tmux.session('work', 4)
  home = homeFor(tmux, { tmux: { on: true, mode: 'marks' } })
  if (!NO_TMUX) daemon = await home.start()
})
afterEach(async () => {
  await home.end()
  await tmux.end()
})

const styleOf = (target: string) => tmux.ask(target, '#{window-status-style}')

async function isMarked(target: string): Promise<void> {
  await until('it is marked', () => styleOf(target) === 'fg=yellow,bold')
}

function waitingIn(target: string): Agent {
  return new Agent(home, tmux, target).start().prompt().asks('Bash')
}

describeUnless(NO_TMUX)('a window in marks mode', () => {
  it.each([true, false])('[TM34] is coloured and keeps its name, attached: %s', async (is) => {
    if (is) await tmux.attach('work')
    const inherited = styleOf('work:1')
    const agent = waitingIn('work:1')
    await isMarked('work:1')
    expect(tmux.windowName('work:1')).toBe('own1')
    agent.hook('UserPromptSubmit', { prompt: 'rather not' })
    await until('it is as the others', () => styleOf('work:1') === inherited)
    expect(allIn(tmux, 'work:1')).not.toContain('window-status-style')
  })

  it.each(['#{?window_bell_flag,fg=red,fg=blue}', 'bg=colour4'])(
    '[TM34] that had the style %s has it again, after kill -9 too',
    async (own) => {
      tmux.run(['set', '-w', '-t', 'work:1', 'window-status-style', own])
      const before = allIn(tmux, 'work:1')
      waitingIn('work:1')
      await isMarked('work:1')
      await daemon.kill('SIGKILL')
      setIn(home, { tmux: { on: false } })
      daemon = await home.start()
      await isAgain(tmux, 'work:1', before)
    },
  )

  it('[TM34] keeps a style that it is given meanwhile', async () => {
    const agent = waitingIn('work:1')
    await isMarked('work:1')
    tmux.run(['set', '-w', '-t', 'work:1', 'window-status-style', 'bg=green'])
    agent.hook('SessionEnd', { reason: 'exit' })
    await until('nothing of vigil is left', () => !allIn(tmux, 'work:1').includes('@'))
    expect(styleOf('work:1')).toBe('bg=green')
  })

  it('[TM33] is named instead when the mode is left', async () => {
    const before = allIn(tmux, 'work:1')
    const agent = waitingIn('work:1')
    await isMarked('work:1')
    setIn(home, { tmux: { on: true } })
    await shows(tmux, 'work:1', '🤖🚨own1')
    expect(styleOf('work:1')).not.toBe('fg=yellow,bold')
    agent.hook('SessionEnd', { reason: 'exit' })
    await isAgain(tmux, 'work:1', before)
  })
})
