import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, homeFor } from './agent.ts'
import { PrivateTmux } from './support.ts'

let tmux: PrivateTmux
let home: DaemonHome
beforeEach(async () => {
  tmux = new PrivateTmux()
  tmux.session('work', 3)
  home = homeFor(tmux)
  if (!NO_TMUX) await home.start()
})
afterEach(async () => {
  await home.end()
  await tmux.end()
})

async function isUnread({ id }: Agent): Promise<boolean | undefined> {
  return (await home.client.session(id))?.unread
}

/** What it did is over: before that it is unread, and read again, by each report in turn. */
const unread = (agent: Agent) =>
  until('it is unread', async () => {
    const session = await home.client.session(agent.id)
    return session?.after === 'work' && session.unread
  })
const read = (agent: Agent) => until('it is read', async () => (await isUnread(agent)) === false)

describeUnless(NO_TMUX)('looking at a pane', () => {
  it('[TM28] by going there makes its session read', async () => {
    const person = await tmux.attach('work:0')
    const agent = new Agent(home, tmux, 'work:1').start().work()
    await unread(agent)
    await sleep(300)
    expect(await isUnread(agent)).toBe(true)
    person.type('\x02n')
    await read(agent)
    await until('tmux says so', () => tmux.ask('work:1', '#{@vigil_unread}') === '0')
  })

  it('[TM28] by attaching to its window does, too', async () => {
    const agent = new Agent(home, tmux, 'work:1').start().work()
    await unread(agent)
    tmux.run(['select-window', '-t', 'work:1'])
    await sleep(300)
    expect(await isUnread(agent)).toBe(true)
    await tmux.attach('work')
    await read(agent)
  })

  it('[TM28] where one has just typed is looking; another pane of the window is not', async () => {
    tmux.run(['split-window', '-d', '-t', 'work:1', 'sleep 1000'])
    await tmux.attach('work:1.0')
    const [here, beside] = [0, 1].map((pane) => new Agent(home, tmux, `work:1.${pane}`))
    if (!here || !beside) throw new Error('two panes')
    beside.start().work()
    here.start().work()
    await unread(beside)
    await until(
      'it was at work',
      async () => (await home.client.session(here.id))?.after === 'work',
    )
    await read(here)
    expect(await isUnread(beside)).toBe(true)
  })

  it('[TM35] and writing at its input line is typing, until one stops', async () => {
    // The input line between two rules, drawn by the shell; the terminal echoes what is typed.
    const rule = '─'.repeat(60)
    const draw = `printf '\\033[5;1H${rule}\\n❯ \\n${rule}\\033[6;3H'; sleep 1000`
    tmux.run(['respawn-pane', '-k', '-t', 'work:1', draw])
    const person = await tmux.attach('work:1')
    const agent = new Agent(home, tmux, 'work:1').start()
    const isTyping = async () => (await home.client.session(agent.id))?.typing
    await until('it is known', async () => (await isTyping()) === false)
    await until('the user types', async () => {
      person.type('x')
      await sleep(200)
      return (await isTyping()) === true
    })
    await until('the user stops', async () => (await isTyping()) === false)
  })
})
