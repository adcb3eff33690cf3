import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Listeners } from '../../src/daemon/listeners.ts'
import { HEARTBEAT_MS, STALL_MS } from '../../src/daemon/panes/limits.ts'
import { PanePicture } from '../../src/daemon/panes/pane-picture.ts'
import { Viewing } from '../../src/daemon/panes/viewing.ts'
import type { PaneWatch } from '../../src/daemon/panes/watch.ts'
import type { PaneFrame } from '../../src/tmux/frame.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const frameOf = (...rows: string[]): PaneFrame => ({
  width: 10,
  height: rows.length,
  rows,
  above: [],
  cursor: { x: 0, y: 0, shown: true },
  history: 0,
  historyMax: 100,
  tty: '',
  dead: false,
  session: '$0',
  attached: 0,
})

/** A pane that the test draws, a viewer, and what the viewer reads. */
function stage() {
  const watch = { picture: new PanePicture(), news: new Listeners<void>(), over: undefined }
  const typing = { session: 'one', on: false, since: null, by: null }
  const switched = new Listeners<void>()
  const ended: string[] = []
  const viewing = new Viewing({
    watch: watch as unknown as PaneWatch,
    typing: () => typing,
    onTyping: (listener) => switched.add(listener),
    onEnd: () => ended.push('end'),
    hangUp: () => ended.push('hang up'),
  })
  const read = async () => {
    const text = await viewing.next()
    if (text === undefined) return 'done'
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    return events.length === 0 ? text : events
  }
  const draw = (frame: PaneFrame) => {
    if (watch.picture.frame) watch.picture.change(frame)
    else watch.picture.begin(frame)
    watch.news.emit()
  }
  return { watch, typing, switched, ended, viewing, read, draw }
}

describe('a viewer', () => {
  it('[PA7] gets the difference when it has room, and nothing is queued', async () => {
    const { read, draw } = stage()
    draw(frameOf('a', 'b'))
    expect(await read()).toMatchObject([{ kind: 'screen' }, { kind: 'typing', on: false }])
    for (let i = 0; i < 1_000; i++) draw(frameOf(String(i), 'b'))
    expect(await read()).toMatchObject([{ kind: 'change', rows: [[0, '999']] }])
    const next = read()
    draw(frameOf('999', 'c'))
    expect(await next).toMatchObject([{ kind: 'change', rows: [[1, 'c']] }])
  })

  it('[PA7] hears a sign of life while nothing changes', async () => {
    const { read, draw } = stage()
    draw(frameOf('a'))
    await read()
    const next = read()
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect(await next).toBe(':\n\n')
  })

  it('[PA7] and takes nothing any more is dropped', async () => {
    const { read, draw, ended } = stage()
    draw(frameOf('a'))
    await read()
    await vi.advanceTimersByTimeAsync(STALL_MS - 1)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toEqual(['end', 'hang up'])
  })

  it('[PA8] hears when the switch is turned', async () => {
    const { read, draw, typing, switched } = stage()
    draw(frameOf('a'))
    await read()
    const next = read()
    Object.assign(typing, { on: true, by: 'Ada' })
    switched.emit()
    expect(await next).toEqual([
      { kind: 'typing', session: 'one', on: true, since: null, by: 'Ada' },
    ])
  })

  it('[PA6] hears why it is over, and then nothing', async () => {
    const { read, draw, watch, ended } = stage()
    draw(frameOf('a'))
    await read()
    const next = read()
    Object.assign(watch, { over: 'its pane is closed' })
    watch.news.emit()
    expect(await next).toEqual([{ kind: 'over', why: 'its pane is closed' }])
    expect(await read()).toBe('done')
    expect(ended).toEqual(['end'])
  })
})
