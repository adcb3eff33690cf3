import { afterEach, beforeEach, expect, it } from 'vitest'
import { segmentOf, summaryOf } from '../../src/view/summary.ts'
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
  home = homeFor(tmux)
  if (!NO_TMUX) daemon = await home.start()
})
afterEach(async () => {
  await home.end()
  await tmux.end()
})

const everything = (target: string) => allIn(tmux, target)
const restored = (target: string, before: string) => isAgain(tmux, target, before)

describeUnless(NO_TMUX)('a window’s own name', () => {
  it.each([true, false])('[TM17] comes back on off and at the end, attached: %s', async (is) => {
    if (is) await tmux.attach('work')
    const before = everything('work:1')
    new Agent(home, tmux, 'work:1').start()
    await shows(tmux, 'work:1', '🤖✅own1')
    setIn(home, { tmux: { on: false } })
    await restored('work:1', before)
    setIn(home, { tmux: { on: true } })
    await shows(tmux, 'work:1', '🤖✅own1')
    await daemon.kill('SIGTERM')
    await restored('work:1', before)
  })

  it('[TM18] comes back at the next start after kill -9, also where it is off', async () => {
    const [before1, before2] = [everything('work:1'), everything('work:2')]
    const one = new Agent(home, tmux, 'work:1').start()
    new Agent(home, tmux, 'work:2').start()
    await shows(tmux, 'work:1', '🤖✅own1')
    await shows(tmux, 'work:2', '🤖✅own2')
    await daemon.kill('SIGKILL')
    one.hook('SessionEnd', { reason: 'exit' })
    daemon = await home.start()
    await restored('work:1', before1)
    expect(tmux.windowName('work:2')).toBe('🤖✅own2')
    await daemon.kill('SIGKILL')
    setIn(home, { tmux: { on: false } })
    await home.start()
    await restored('work:2', before2)
  })

  it('[TM18] that another vigil has taken is left to it', async () => {
    new Agent(home, tmux, 'work:1').start()
    await shows(tmux, 'work:1', '🤖✅own1')
    const other = homeFor(tmux, { tmux: { on: false } })
    try {
      const started = await other.start()
      // Its end waits for whatever it gives back.
      await started.kill('SIGTERM')
    } finally {
      await other.end()
    }
    expect(tmux.windowName('work:1')).toBe('🤖✅own1')
  })

  it('[TM17] comes back when what ran in the pane is gone, and the pane stays', async () => {
    tmux.run(['set', '-g', 'remain-on-exit', 'on'])
    const before = everything('work:1')
    new Agent(home, tmux, 'work:1').start()
    await shows(tmux, 'work:1', '🤖✅own1')
    process.kill(Number(tmux.ask('work:1', '#{pane_pid}')), 'SIGKILL')
    await restored('work:1', before)
  })

  it.each([true, false])('[TM19] given by hand meanwhile stays, attached: %s', async (is) => {
    if (is) await tmux.attach('work')
    const agent = new Agent(home, tmux, 'work:1').start()
    await shows(tmux, 'work:1', '🤖✅own1')
    tmux.run(['rename-window', '-t', 'work:1', 'mine'])
    agent.readOnly()
    const state = () => tmux.ask('work:1', '#{@vigil_state} #{@vigil_hand}')
    await until('it is noticed', () => state() === 'idle 1')
    agent.task()
    await until('it is at work', () => state() === 'background 1')
    expect(tmux.windowName('work:1')).toBe('mine')
    agent.hook('SessionEnd', { reason: 'exit' })
    await restored('work:1', 'mine\n--\nautomatic-rename off\n--\n')
  })
})

describeUnless(NO_TMUX)('what is shown', () => {
  it('[TM12] tells state, request and unread on pane and window', async () => {
    const agent = new Agent(home, tmux, 'work:1').start().prompt().asks('Bash')
    const shown = () => tmux.ask('work:1', '#{@vigil_state}|#{@vigil_for}|#{@vigil_unread}')
    await until('it asks', () => shown() === 'waiting|permission|1')
    const pane = tmux.run(['show-options', '-pv', '-t', 'work:1', '@vigil_for'])
    expect([pane, agent.id]).toEqual(['permission', 'own-work:1'])
  })

  it('[TM15] is the neediest of several agents in one window', async () => {
    tmux.run(['split-window', '-d', '-t', 'work:1', 'sleep 1000'])
    new Agent(home, tmux, 'work:1.0').start().work()
    await shows(tmux, 'work:1', '🤖✅own1')
    const other = new Agent(home, tmux, 'work:1.1').start().prompt().asks('Bash')
    const state = () => tmux.run(['show-options', '-wv', '-t', 'work:1', '@vigil_state'])
    await until('the one that asks', () => state() === 'waiting')
    other.hook('SessionEnd', { reason: 'exit' })
    await until('the one that is left', () => state() === 'idle')
    expect(tmux.windowName('work:1')).toBe('🤖✅own1')
  })

  it('[TM14] in real-time mode is what it does', async () => {
    setIn(home, { tmux: { on: true, mode: 'real-time' } })
    const agent = new Agent(home, tmux, 'work:1').start().prompt().begin('Read')
    await shows(tmux, 'work:1', '🤖🔍own1')
    agent.begin('Bash')
    await shows(tmux, 'work:1', '🤖🧪own1')
    agent.asks('Edit')
    await shows(tmux, 'work:1', '🤖🚨own1')
    agent.stop()
    await shows(tmux, 'work:1', '🤖✅own1')
  })

  it('[TM16] in figures, in every server', async () => {
    tmux.session('elsewhere', 1, tmux.socket('other'))
    new Agent(home, tmux, 'work:1').start().prompt().asks('Bash')
    new Agent(home, tmux, 'work:2').start().prompt()
    const segment = (socket?: string) =>
      tmux.run(['display-message', '-p', '#{@vigil_segment}'], socket)
    // Other agents of the machine are found, too.
    await until('both show what is', async () => {
      const { sessions } = await home.client.sessions()
      const open = sessions.filter(({ state }) => state !== 'closed')
      const want = segmentOf(summaryOf(open))
      const shown = [segment(), segment(tmux.socket('other'))]
      return /◆[1-9].*►[1-9]/.test(want) && shown.every((text) => text === want)
    })
    setIn(home, { tmux: { on: false } })
    await until('both are bare', () => segment() + segment(tmux.socket('other')) === '')
  })

  it('[TM12] moves with its pane', async () => {
    await tmux.attach('work')
    tmux.run(['split-window', '-d', '-t', 'work:1', 'sleep 1000'])
    const before = everything('work:1.0')
    new Agent(home, tmux, 'work:1.1', { id: 'moves' }).start()
    await shows(tmux, 'work:1', '🤖✅own1')
    tmux.run(['join-pane', '-d', '-s', 'work:1.1', '-t', 'work:2'])
    await shows(tmux, 'work:2', '🤖✅own2')
    await restored('work:1', before)
  })
})
