import { describe, expect, it } from 'vitest'
import { Sessions } from './sessions.ts'
import type { About, Happening, Signal, Source } from './signal.ts'

const A = '01a1e513-fe32-7503-973c-f2477aaaaaaa'
const B = '01a1e513-fe32-7503-973c-b0000aaaaaaa'

/** Two clients that were started in one folder before anything named their sessions. */
class Folder {
  readonly sessions = new Sessions()
  #at = 1_000_000_000

  take(source: Source, about: Partial<About>, what: Happening): this {
    this.#at += 1_000
    const signal: Signal = { ...what, at: this.#at, source, about: { agent: 'any', ...about } }
    this.sessions.take(signal)
    return this
  }

  runs(pid: number, folder = '/f'): this {
    return this.take('process', { pid, folder }, { kind: 'process', alive: true, ours: true })
  }

  ends(pid: number): this {
    return this.take('process', { pid }, { kind: 'process', alive: false, ours: true })
  }

  sent(session: string, text: string, folder = '/f'): this {
    return this.take('transcript', { session, folder }, { kind: 'words', by: 'user', text })
  }

  shows(pid: number, prompt?: string): this {
    const what = { kind: 'screen', shows: 'text', ...(prompt && { prompt }) } as const
    return this.take('screen', { pid, pane: `%${pid}` }, what)
  }

  title(pid: number, idBegins: string): this {
    const word = { kind: 'self-report', status: 'working', said: 'working' } as const
    return this.take('title', { pid, pane: `%${pid}` }, { ...word, idBegins })
  }

  pidOf(session: string): number | undefined {
    return this.sessions.facts(session)?.process?.pid
  }

  get ids(): string[] {
    return [...this.sessions.ids()].toSorted()
  }
}

const two = () => new Folder().runs(1).runs(2)

describe('of two clients in one folder', () => {
  it('[L11] each has the session whose newest prompt is on its screen', () => {
    const folder = two().sent(A, 'fix it').sent(B, 'what is this?')
    folder.shows(1, 'what  is this?').shows(2, 'fix it')
    expect([folder.pidOf(A), folder.pidOf(B)]).toEqual([2, 1])
    expect(folder.ids).toEqual([B, A])
  })

  it('[L11] also where the prompt is reported after the screen', () => {
    const folder = two().shows(1, 'one').shows(2, 'two').sent(A, 'two').sent(B, 'one')
    expect([folder.pidOf(A), folder.pidOf(B)]).toEqual([2, 1])
    expect(folder.ids).toEqual([B, A])
  })

  it.each([
    ['both show the prompt', (folder: Folder) => folder.shows(1, 'go on').shows(2, 'go on')],
    ['one screen was not seen', (folder: Folder) => folder.shows(1, 'go on')],
    [
      'two sessions have it',
      (folder: Folder) => folder.sent(B, 'go on').shows(1, 'go on').shows(2),
    ],
    ['the screen shows none', (folder: Folder) => folder.sent(B, 'ho').shows(1).shows(2)],
    [
      'it is of another folder',
      (folder: Folder) => folder.shows(1, 'hm').sent(B, 'hm', '/g').shows(2),
    ],
  ])('[L11] neither is known where %s', (_, then) => {
    const folder = then(two().sent(A, 'go on'))
    expect([folder.pidOf(A), folder.pidOf(B)]).toEqual([undefined, undefined])
    expect(folder.ids).toEqual(expect.arrayContaining(['process:1', 'process:2']))
  })

  it('[L11] a session that has a process keeps it', () => {
    const folder = new Folder().sent(A, 'go on').runs(1).runs(2).shows(2, 'go on')
    expect(folder.pidOf(A)).toBe(1)
    expect(folder.ids).toEqual([A, 'process:2'])
  })

  it('[L11] a client that has ended is no other', () => {
    const folder = two().sent(A, 'go on').sent(B, 'ho').ends(2).shows(1, 'go on')
    expect(folder.pidOf(A)).toBe(1)
  })
})

describe('a title with an id', () => {
  it('[L11] names the session of its process, in any folder', () => {
    const folder = two().sent(A, 'go on', '/g').sent(B, 'go on').title(2, A.slice(0, 29))
    expect([folder.pidOf(A), folder.pidOf(B)]).toEqual([2, undefined])
  })

  it('[L11] also where the session is reported after the title', () => {
    const folder = two().title(2, A.slice(0, 29)).sent(B, 'go on').sent(A, 'go on')
    expect([folder.pidOf(A), folder.pidOf(B)]).toEqual([2, undefined])
  })

  it('[L11] that is too short, or of no session, names none', () => {
    const folder = two().sent(A, 'one').sent(B, 'two')
    folder.title(1, A.slice(0, 22)).title(2, '99999999-fe32-7503-973c-f2477')
    expect([folder.pidOf(A), folder.pidOf(B)]).toEqual([undefined, undefined])
  })

  it('[L1][L11] continues as another session where the id changes', () => {
    const folder = two().sent(A, 'one').sent(B, 'two').title(1, A.slice(0, 29))
    folder.title(1, B.slice(0, 29))
    expect(folder.pidOf(B)).toBe(1)
    expect(folder.sessions.lineages.parentOf(B)).toBe(A)
  })
})
