import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SentLines } from '../../src/daemon/panes/pane-picture.ts'
import { PaneWatch } from '../../src/daemon/panes/watch.ts'
import type { ScreenChange, ScreenSnapshot } from '../../src/protocol/pane.ts'
import { READ, seenIn } from '../../src/surfaces/tmux/reading.ts'
import { ControlClient } from '../../src/tmux/control.ts'
import { until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { Painted } from './painted.ts'
import { Paper } from './paper.ts'

let tmux: PrivateTmux
let paper: Paper
let watch: PaneWatch | undefined
beforeEach(() => {
  tmux = new PrivateTmux()
  if (NO_TMUX) return
  tmux.session('work', 2)
  paper = new Paper(tmux, 'work:')
})
afterEach(async () => {
  watch?.close()
  watch = undefined
  paper?.close()
  await tmux.end()
})

/** A viewer, and what it receives. */
function follow({ pane, pid }: Pick<Paper, 'pane' | 'pid'> = paper) {
  const one = new PaneWatch({ socket: tmux.socket(), pane, pid })
  watch = one
  const painted = new Painted()
  const seen: (ScreenSnapshot | ScreenChange)[] = []
  let sent: SentLines | undefined
  const look = async () => {
    const found = one.picture.newsTo(sent)
    sent = found?.sent ?? sent
    if (!found) return
    seen.push(found.news)
    await painted.take(found.news)
  }
  const shows = async (text: string) => {
    await until(`it shows ${text}`, async () => {
      await look()
      return painted.lines().rows.join('\n').includes(text)
    })
  }
  return { watch: one, painted, seen, shows, look }
}

const captured = () =>
  tmux
    .run(['capture-pane', '-p', '-t', paper.pane])
    .split('\n')
    .map((line) => line.trimEnd())

describeUnless(NO_TMUX)('watching a pane', () => {
  it.each([true, false])('[PA1] shows what tmux shows, attached: %s', async (is) => {
    if (is) await tmux.attach('work')
    paper.lines(
      'before',
      '\x1b[1;31mred\x1b[42m on green\x1b[0m',
      'ünïcödé ☕ 漢字 ✅ 🚀 |',
      '─'.repeat(100),
    )
    const { painted, shows } = follow()
    await shows('─'.repeat(100))
    expect(painted.lines().rows.slice(0, 4)).toEqual(captured().slice(0, 4))
    expect(painted.columnOf('|', 2)).toBe(22)
    expect(painted.colours(0, 1)).toEqual([1, -1, true])
    expect(painted.colours(8, 1)).toEqual([1, 2, true])
    paper.write('\x1b[2;1Hgone over\x1b[10;20Hhere')
    await shows('here')
    expect(painted.lines().rows[1]).toBe('gone overeen')
    expect(painted.cursor).toEqual([23, 9])
    paper.write('\x1b[?25l\x1b[2J\x1b[Hanew')
    await shows('anew')
    expect(painted.lines().rows.filter((row) => row !== '')).toEqual(['anew'])
  })

  it.each([true, false])('[PA2] lines that scroll off are sent once, attached: %s', async (is) => {
    if (is) await tmux.attach('work')
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `line ${from + i}`)
    paper.lines(...lines(0, 100))
    const { painted, shows, seen } = follow()
    await shows('line 99')
    for (let from = 100; from < 400; from += 10) {
      paper.lines(...lines(from, from + 10))
      await sleep(7)
    }
    await shows('line 399')
    const { above, rows } = painted.lines()
    expect([...above, ...rows].filter((line) => line !== '')).toEqual(lines(0, 400))
    // On a busy machine more may go by at once than is asked for.
    expect(seen.filter(({ kind }) => kind === 'screen').length).toBeLessThan(4)
  })

  it('[PA2] a pane that floods is shown as it is at last', async () => {
    await tmux.attach('work')
    const { painted, shows, seen } = follow()
    await shows('')
    for (let i = 0; i < 20; i++) {
      paper.lines(...Array.from({ length: 300 }, (_, n) => `${i} of ${n}`))
      await sleep(20)
    }
    paper.lines('the end')
    await shows('the end')
    expect(painted.lines().rows.slice(0, 29)).toEqual(captured().slice(0, 29))
    expect(seen.length).toBeLessThan(25)
  })

  it('[PA1] follows another size, and changes none', async () => {
    const person = await tmux.attach('work')
    const { seen, shows } = follow()
    paper.lines('hello')
    await shows('hello')
    const size = () => tmux.ask(paper.pane, '#{window_width}x#{window_height}')
    const before = size()
    await sleep(300)
    expect(size()).toBe(before)
    tmux.run(['resize-window', '-t', paper.pane, '-x', '61', '-y', '17'])
    paper.lines('smaller')
    await shows('smaller')
    expect(seen.findLast(({ kind }) => kind === 'screen')).toMatchObject({ width: 61, height: 17 })
    await person.leave()
  })

  it('[PA4] leaves with the last attached user, and never attaches alone', async () => {
    paper.lines('hello')
    tmux.run(['set-hook', '-g', 'client-attached', 'set -ag @came x'])
    const { shows } = follow()
    await shows('hello')
    await sleep(500)
    expect(tmux.ask('work', '#{session_attached}#{@came}')).toBe('0')
    const person = await tmux.attach('work')
    await until('it listens', () => tmux.controls() === 1)
    person.type('\x02d')
    await until('it has left', () => tmux.ask('work', '#{session_attached}') === '0')
    paper.lines('still there')
    await shows('still there')
    expect(tmux.controls()).toBe(0)
  })

  it('[PA4] a client of vigil’s is not a user who looks', async () => {
    const heard = { onNotice: () => {}, onEnd: () => {} }
    const control = new ControlClient(tmux.socket(), 'work', heard)
    await until('it is attached', () => tmux.controls() === 1)
    const { panes, activeAt } = seenIn(await control.ask(READ), undefined)
    control.close()
    expect([panes.size, activeAt.size]).toEqual([3, 0])
    expect([...panes.values()].filter(({ seen }) => seen)).toEqual([])
  })

  it('[PA4] other panes go on when a viewer leaves', async () => {
    const other = new Paper(tmux, 'work:', 'other')
    const person = await tmux.attach('work')
    const { shows } = follow()
    paper.lines('hello')
    await shows('hello')
    await until('it listens', () => tmux.controls() === 1)
    const printed = (text: string) =>
      until('it goes on', () => tmux.run(['capture-pane', '-p', '-t', other.pane]).includes(text))
    other.lines('x'.repeat(50), 'beside')
    await printed('beside')
    person.type('\x02d')
    for (let i = 0; i < 200; i++) other.lines(`${i} ${'y'.repeat(80)}`)
    await printed('199 y')
    other.close()
  })

  it('[PA5] without a viewer it costs nothing: no process, no request', async () => {
    await tmux.attach('work')
    const { watch: one, shows } = follow()
    paper.lines('hello')
    await shows('hello')
    await until('it listens', () => tmux.controls() === 1)
    one.close()
    await until('it has left', () => tmux.controls() === 0)
    await until('no process is left', () => children().length === 0)
  })

  it('[PA5] tmux reports output, and vigil does not poll', async () => {
    await tmux.attach('work')
    const { shows } = follow()
    await shows('')
    await until('it listens', () => tmux.controls() === 1)
    const tookMs: number[] = []
    for (const mark of ['one', 'two', 'three', 'four', 'five']) {
      await sleep(250)
      const begun = performance.now()
      paper.lines(mark)
      await shows(mark)
      tookMs.push(performance.now() - begun)
    }
    // One is enough: polling would be once a second.
    expect(Math.min(...tookMs)).toBeLessThan(200)
  })

  it('[PA6] another program’s pane is not shown, nor one that comes to hold another', async () => {
    const wrong = follow({ pane: paper.pane, pid: process.pid })
    await until('it is over', () => wrong.watch.over !== undefined)
    expect(wrong.watch.over).toBe('its pane runs another program')
    expect(wrong.watch.picture.frame).toBeUndefined()
    tmux.run(['set', '-g', 'remain-on-exit', 'on'])
    const right = follow()
    paper.lines('hello')
    await right.shows('hello')
    process.kill(paper.pid, 'SIGKILL')
    await until('it is over', () => right.watch.over !== undefined)
    expect(right.watch.over).toMatch(/closed|another program/)
  })

  it('[PA6] nor while another program is in front of the session’s', async () => {
    const shell = tmux.run(['new-window', '-d', '-t', 'work:', '-P', '-F', '#{pane_id}', 'bash -i'])
    tmux.run(['send-keys', '-t', shell, 'PS1=; clear; sleep 1000 & echo pid=$!', 'Enter'])
    const screen = () => tmux.run(['capture-pane', '-p', '-t', shell])
    await until('it runs', () => /^pid=\d+$/m.test(screen()))
    const pid = Number(/^pid=(\d+)$/m.exec(screen())?.[1])
    const behind = follow({ pane: shell, pid })
    await until('it is over', () => behind.watch.over !== undefined)
    expect(behind.watch.over).toBe('another program is in its foreground')
    tmux.run(['send-keys', '-t', shell, 'fg', 'Enter'])
    await until('it is in front', async () => {
      const again = follow({ pane: shell, pid })
      await until('it is known', () => again.watch.over ?? again.watch.picture.frame)
      return again.watch.over === undefined
    })
  })

  it('[PA6] a pane that is gone is said to be', async () => {
    const { watch: one, shows } = follow()
    paper.lines('hello')
    await shows('hello')
    tmux.run(['kill-pane', '-t', paper.pane])
    await until('it is over', () => one.over !== undefined)
    expect(one.over).toMatch(/its pane is closed|tmux: /)
  })
})

/** Processes that this one has started and that run. */
function children(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return parent === String(process.pid) && state !== 'Z' && stat.includes('(tmux')
    } catch {
      return false
    }
  })
}
