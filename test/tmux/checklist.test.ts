import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, homeFor, shows, windowOf } from './agent.ts'
import { PrivateTmux } from './support.ts'

const HALF_AN_HOUR_MS = 1_800_000
/** Half an hour is over so soon; a machine that is too busy to show what was before gets more. */
const SOON_MS = [2_000, 10_000, 30_000]

let tmux: PrivateTmux
let home: DaemonHome
let windows = 0
beforeAll(async () => {
  if (NO_TMUX) return
  tmux = new PrivateTmux()
  tmux.session('work', 16)
  home = homeFor(tmux, { tmux: { on: true, mode: 'stop-only' } })
  await home.start()
}, 60_000)
afterAll(async () => {
  await home?.end()
  await tmux?.end()
})

/** An agent in a window of its own. */
function idle(agoMs = 0) {
  windows += 1
  const target = `work:${windows}`
  return { target, name: `own${windows}`, agent: new Agent(home, tmux, target, { agoMs }).start() }
}

/** An agent whose half an hour is over soon, and whose window was seen before that. */
async function seenSoonBefore(act: 'work' | 'readOnly', isSeen: (of: Seen) => boolean) {
  for (const soonMs of SOON_MS) {
    const one = idle(HALF_AN_HOUR_MS - soonMs)
    const overAt = Date.now() + soonMs
    one.agent[act]()
    const isThere = () => isSeen(one)
    await until('it is seen or over', () => isThere() || Date.now() > overAt)
    if (isThere()) return one
  }
  throw new Error('what was before could not be seen')
}

type Seen = ReturnType<typeof idle>

const completedAt = (target: string) => Number(windowOf(tmux, target)[2])

/** The testing checklist of notify-tmux.md, box by box, in a real server. */
describeUnless(NO_TMUX)('notify-tmux.md, testing checklist', () => {
  it('[TM23] from IDLE: launch Task agent → 🤖⚙️', async () => {
    const { target, name, agent } = idle()
    await shows(tmux, target, `🤖✅${name}`)
    agent.task()
    await shows(tmux, target, `🤖⚙️${name}`)
    expect(windowOf(tmux, target).slice(1)).toEqual(['true', ''])
  })

  it('[TM23] from IDLE: edit a file → 🤖✅ with timestamp', async () => {
    const { target, name, agent } = idle()
    await shows(tmux, target, `🤖✅${name}`)
    expect(windowOf(tmux, target).slice(1)).toEqual(['false', ''])
    const before = Math.floor(Date.now() / 1_000) - 1
    agent.work()
    await until('the timestamp stands', () => completedAt(target) >= before)
    expect(tmux.windowName(target)).toBe(`🤖✅${name}`)
  })

  it('[TM23] from IDLE: read a file only → 🤖, no timestamp', async () => {
    const { target, name, agent } = idle()
    agent.readOnly()
    await shows(tmux, target, `🤖${name}`)
    expect(windowOf(tmux, target).slice(1)).toEqual(['false', ''])
  })

  it('[TM23] from WORKING: task completes → 🤖✅', async () => {
    const { target, name, agent } = idle()
    agent.task()
    await shows(tmux, target, `🤖⚙️${name}`)
    agent.taskEnds()
    await shows(tmux, target, `🤖✅${name}`)
    expect(windowOf(tmux, target)[1]).toBe('false')
    expect(completedAt(target)).toBeGreaterThan(0)
  })

  it('[TM23] from WORKING: task still running after turn → 🤖⚙️ persists', async () => {
    const { target, name, agent } = idle()
    agent.task()
    await shows(tmux, target, `🤖⚙️${name}`)
    agent.stillRunning()
    await home.taken()
    await until('the turn is over', async () => {
      const { sessions } = await home.client.sessions()
      return sessions.find(({ id }) => id === agent.id)?.state === 'background'
    })
    expect(windowOf(tmux, target)).toEqual([`🤖⚙️${name}`, 'true', ''])
  })

  it('[TM20][TM23] from COMPLETED: 30 min idle → 🤖✅ remains, timestamp cleared', async () => {
    const stands = ({ target }: Seen) => completedAt(target) > 0
    const { target, name } = await seenSoonBefore('work', stands)
    await until('it is cleared', () => windowOf(tmux, target)[2] === '')
    expect(tmux.windowName(target)).toBe(`🤖✅${name}`)
  })

  it('[TM23] from BASE: launch Task → 🤖⚙️', async () => {
    const { target, name, agent } = idle()
    agent.readOnly()
    await shows(tmux, target, `🤖${name}`)
    agent.task()
    await shows(tmux, target, `🤖⚙️${name}`)
  })

  it('[TM23] from BASE: edit file → 🤖✅', async () => {
    const { target, name, agent } = idle()
    agent.readOnly()
    await shows(tmux, target, `🤖${name}`)
    agent.work()
    await shows(tmux, target, `🤖✅${name}`)
    expect(completedAt(target)).toBeGreaterThan(0)
  })

  it('[TM20][TM23] from BASE: 30 min → 🤖✅', async () => {
    const isBase = (one: Seen) => tmux.windowName(one.target) === `🤖${one.name}`
    const { target, name } = await seenSoonBefore('readOnly', isBase)
    await shows(tmux, target, `🤖✅${name}`)
    expect(windowOf(tmux, target).slice(1)).toEqual(['false', ''])
  })
})
