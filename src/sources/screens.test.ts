import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Report } from '../core/signal.ts'
import { ScreenSource, type WatchedPane } from './screens.ts'

/** A server with one pane, as the source sees it. */
function serverWith(pane: { title: string; text: string }, ageMsOf = () => 60_000) {
  const asked: string[] = []
  const server = {
    socket: '/s',
    attached: true,
    ask: async (command: string) => {
      asked.push(command)
      const [, mark] = /'(\S+) #\{pane_id\} #\{pane_title\}'/.exec(command) ?? []
      if (mark === undefined) return []
      const screen = command.includes('capture-pane') ? [pane.text] : []
      return [`${mark} %3 ${pane.title}`, ...screen]
    },
  }
  const reports: Report[] = []
  const source = new ScreenSource({
    server,
    sink: (arrivals) => void reports.push(...arrivals.map(({ report }) => report)),
    now: () => 5,
    ageMsOf,
  })
  return { source, asked, reports }
}

async function look(source: ScreenSource): Promise<void> {
  source.onNotice('subscription-changed', 'vigil-screens $0 @0 0 %3 : x')
  await setImmediate()
}

const titled: WatchedPane = { agent: 'cook', pid: 7, screen: false, title: true, soonUntil: 0 }
const where = { agent: 'cook', pid: 7, pane: '/s:%3', tmux: '/s', tmuxPane: '%3' }

it('[TM31] a title is reported when it changes, and no screen is read for it', async () => {
  const pane = { title: 'cooking: a  stew', text: 'secret' }
  const { source, asked, reports } = serverWith(pane)
  source.watch(new Map([['%3', titled]]))
  await setImmediate()
  await look(source)
  expect(reports).toEqual([{ t: 5, source: 'title', ...where, title: 'cooking: a  stew' }])
  pane.title = 'done'
  await look(source)
  expect(reports.map(({ title }) => title)).toEqual(['cooking: a  stew', 'done'])
  const [subscription] = asked.filter((command) => command.startsWith('refresh-client'))
  expect(subscription).toContain('#{pane_id}=#{pane_title}')
  expect(asked.join()).not.toMatch(/capture-pane|window_activity/)
  source.close()
})

it('[TM30] a screen is reported when it changes, and its title only if it is wanted', async () => {
  const { source, reports } = serverWith({ title: 'bash', text: '❯ ' })
  source.watch(new Map([['%3', { ...titled, screen: true, title: false }]]))
  await setImmediate()
  await look(source)
  expect(reports).toEqual([{ t: 5, source: 'screen', ...where, text: '❯ \n' }])
  source.close()
})

it('[TM30] a pane that comes while others are read is read right after them', async () => {
  const { source, asked } = serverWith({ title: '', text: '❯ ' })
  const pane = { ...titled, screen: true, title: false }
  source.watch(new Map([['%3', pane]]))
  source.watch(
    new Map([
      ['%3', pane],
      ['%4', pane],
    ]),
  )
  await setImmediate()
  await setImmediate()
  expect(asked.some((command) => command.includes('capture-pane -p -t %4'))).toBe(true)
  source.close()
})

it('[TM30] of a session that waits is read four times a second, for a time', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { source, asked } = serverWith({ title: '', text: '❯ ' })
  const looks = () => asked.filter((command) => command.includes('capture-pane')).length
  source.watch(new Map([['%3', { ...titled, screen: true, title: false, soonUntil: 6 }]]))
  await vi.advanceTimersByTimeAsync(1_010)
  expect(looks()).toBe(5)
  source.watch(new Map([['%3', { ...titled, screen: true, title: false, soonUntil: 5 }]]))
  await vi.advanceTimersByTimeAsync(1_099)
  expect(looks()).toBe(6)
  source.close()
})

it('[TM31] a title that was there before the client counts after two seconds', async () => {
  const pane = { title: 'idle', text: '' }
  let ageMs = 300
  const { source, reports } = serverWith(pane, () => ageMs)
  source.watch(new Map([['%3', titled]]))
  await setImmediate()
  await look(source)
  expect(reports).toEqual([])
  ageMs = 2_000
  await look(source)
  expect(reports.map(({ title }) => title)).toEqual(['idle'])
  source.close()
})

it('[TM31] and at once when the client has changed it, also back again', async () => {
  const pane = { title: 'idle', text: '' }
  const { source, reports } = serverWith(pane, () => 300)
  source.watch(new Map([['%3', titled]]))
  await setImmediate()
  for (const title of ['cooking', 'idle']) {
    pane.title = title
    await look(source)
  }
  expect(reports.map(({ title }) => title)).toEqual(['cooking', 'idle'])
  source.close()
})
