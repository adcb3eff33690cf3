import { afterEach, expect, it, vi } from 'vitest'
import { Listeners } from '../../src/daemon/listeners.ts'
import type { DialogAnswer } from '../../src/daemon/panes/dialog.ts'
import { Problem } from '../../src/daemon/problem.ts'
import type { DialogPanes } from '../../src/daemon/requests/pane-requests.ts'
import type { RequestAnswer } from '../../src/protocol/request.ts'
import { RequestRig } from '../support/requests.ts'

const RULE = '─'.repeat(80)
const dialog = (command: string) =>
  [RULE, ' Bash command', '', `   ${command}`, '   Run shell command', '']
    .concat(' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', '', ' Esc to cancel')
    .join('\n')

const ALLOW: RequestAnswer = { choice: 'allow', where: 'page' }
const OTHER = 'the screen shows another dialog, or only part of this one'

/** A session's pane, and whether it may be typed into. */
class FakePane implements DialogPanes {
  readonly switched = new Listeners<string>()
  on = true
  screen = dialog('x')
  looks = 0
  readonly sent: string[] = []
  /** Between the note and the keys. */
  meanwhile = () => {}

  typing(session: string) {
    return { session, on: this.on, since: null, by: null }
  }

  async whyUnanswerable(_: string, keysOn: DialogAnswer['keysOn']) {
    if (!this.on) return 'typing is off; turn it on with `vigil typing one on`'
    this.looks += 1
    const looked = keysOn(this.screen)
    return 'why' in looked ? looked.why : undefined
  }

  async answer(_: string, { keysOn, note }: DialogAnswer) {
    await Promise.resolve()
    const looked = keysOn(this.screen)
    if ('why' in looked) throw new Problem(409, looked.why)
    note(looked.keys)
    this.meanwhile()
    const last = keysOn(this.screen)
    if ('why' in last) throw new Problem(409, last.why)
    this.sent.push(...last.keys)
    this.screen = ''
  }
}

afterEach(() => void vi.useRealTimers())

/** What a subagent asks: no hook waits for it. */
function rigWith(pane: FakePane, command = 'x') {
  vi.useFakeTimers()
  const rig = new RequestRig({ panes: pane })
  const { id } = rig.asks('one', 'Bash', { command }, { agent_id: 'a1' })
  return { rig, id }
}
const looked = () => vi.advanceTimersByTimeAsync(0)

it('[AN34][AN30] what stands in its pane can be answered, and its row says so', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  expect(rig.requests.asksOf('one')).toEqual([])
  await looked()
  expect(rig.told).toEqual([{ session: 'one', asks: [id] }])
  expect(rig.requests.find(id)).toMatchObject({ answerable: true, why: null })
  await rig.answer(id, ALLOW, 'ada')
  expect(pane.sent).toEqual(['1'])
  expect([rig.requests.list(), rig.told.at(-1)?.asks, rig.table.stored.size]).toEqual([[], [], 0])
  expect(() => rig.answer(id, ALLOW, 'bob')).toThrow(
    /^the request is over: answered on the page 0 s ago$/,
  )
})

it('[AN34] what is not seen is looked for again, but not while typing is off', async () => {
  const pane = new FakePane()
  pane.on = false
  const { rig, id } = rigWith(pane)
  await vi.advanceTimersByTimeAsync(60_000)
  const off = 'typing is off; turn it on with `vigil typing one on`'
  const why = `a subagent’s hook cannot wait for an answer; ${off}; answer it in its terminal`
  expect(rig.requests.find(id)).toMatchObject({ answerable: false, why })
  expect([pane.looks, vi.getTimerCount()]).toEqual([0, 0])
  pane.screen = dialog('y')
  pane.on = true
  pane.switched.emit('one')
  await looked()
  expect(rig.requests.find(id)?.why).toContain(OTHER)
  expect(() => rig.answer(id, ALLOW, 'ada')).toThrow(OTHER)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pane.looks).toBeLessThan(20)
  pane.screen = dialog('x')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(rig.requests.asksOf('one')).toEqual([id])
  const { looks } = pane
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pane.looks).toBe(looks)
})

it('[AN33][AN20] it is noted before the keys, with what was decided on', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  await looked()
  pane.meanwhile = () => expect(rig.table.rows).toHaveLength(1)
  await rig.answer(id, ALLOW, 'ada')
  const [act] = rig.table.rows
  expect(act).toMatchObject({ what: 'answer', who: 'ada', where: 'page', words: 'allowed Bash' })
  expect(JSON.parse(act?.shown ?? '')).toMatchObject({
    input: { command: 'x' },
    decision: { keys: ['1'] },
  })
})

it('[AN33][AN20] what cannot be noted is not typed, and stays open', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  await looked()
  rig.table.failure = new Error('disk full')
  await expect(rig.answer(id, ALLOW, 'ada')).rejects.toThrow('disk full')
  expect(pane.sent).toEqual([])
  expect(rig.requests.list()).toHaveLength(1)
})

it('[AN33] another dialog by then is not answered, and the request is open as before', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  await looked()
  pane.meanwhile = () => {
    pane.screen = dialog('y')
  }
  await expect(rig.answer(id, ALLOW, 'ada')).rejects.toThrow(OTHER)
  await looked()
  expect(pane.sent).toEqual([])
  expect(rig.requests.find(id)).toMatchObject({ answerable: false })
})

it('[AN33][SH5] what was shown is what is asked, also here', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  await looked()
  const unseen = () => rig.requests.answer(id, { ...ALLOW, shown: 'another' }, 'ada')
  expect(unseen).toThrow('the request has changed')
  expect([pane.sent, rig.table.rows]).toEqual([[], []])
})

it('[AN33] what was answered meanwhile is not answered again', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  await looked()
  const first = rig.answer(id, ALLOW, 'ada')
  const second = rig.answer(id, ALLOW, 'bob')
  await expect(second).rejects.toThrow('the request is being answered already')
  await first
  expect([pane.sent, rig.table.rows.length]).toEqual([['1'], 1])
})

it('[AN33] answering that was switched off meanwhile types nothing', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  await looked()
  const late = rig.answer(id, ALLOW, 'ada')
  rig.allowed.use({ on: false })
  await expect(late).rejects.toThrow('answering is off')
  expect([pane.sent, rig.table.rows]).toEqual([[], []])
})

it('[AN33] of two that look the same none is answered', async () => {
  const pane = new FakePane()
  const { rig, id } = rigWith(pane)
  const call = { tool_name: 'Bash', tool_input: { command: 'x', timeout: 1 }, agent_id: 'a2' }
  rig.hook('one', 'PermissionRequest', call)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(rig.requests.list().map(({ why }) => why)).toEqual([
    expect.stringContaining('the session asks for the same thing twice'),
    expect.stringContaining('the session asks for the same thing twice'),
  ])
  expect(() => rig.answer(id, ALLOW, 'ada')).toThrow('the session asks for the same thing twice')
})
