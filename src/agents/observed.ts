import { TITLE_LAG_MS } from '../core/limits.ts'
import type { Happening, LoopFacet, Report } from '../core/signal.ts'
import type { ScreenReading, TitleReading } from './agent.ts'
import { cutWord, type Fields, fields, given, numberIn, path, shortText, textIn } from './read.ts'
import type { SourceReader, TranslatorParts } from './translator.ts'

/** What vigil observes itself, for every agent: processes, panes, keys, loops. */

type Parts = Pick<TranslatorParts, 'id' | 'recognise' | 'folderOf' | 'resumedIn' | 'startsTurn'>

export function processReader(parts: Parts): SourceReader {
  const { id, recognise, folderOf, resumedIn, startsTurn } = parts
  const isClient = (command: string | undefined) =>
    command !== undefined && recognise(command.split(' ')) !== undefined
  const folderIn = (cwd: string | undefined) =>
    cwd === undefined || !folderOf ? cwd : folderOf(cwd)
  const argvOf = (report: Report) => textIn(report.command)?.split(' ') ?? []
  const resumed = (report: Report) => resumedIn?.(argvOf(report))
  return {
    about: (report) => ({
      agent: id,
      session: report.alive === true ? resumed(report)?.session : undefined,
      pid: numberIn(report.pid),
      start: shortText(report.start),
      // Sessions are looked up by folder: only the client's own process may add one.
      folder: isClient(textIn(report.command)) ? folderIn(path(report.cwd)) : undefined,
    }),
    read: (report) => {
      if (numberIn(report.pid) === undefined || typeof report.alive !== 'boolean') return []
      const command = textIn(report.command)
      // An unnamed process may be the client; a process of another name is not.
      const ours = command === undefined || isClient(command)
      const cwd = isClient(command) ? path(report.cwd) : undefined
      const isNew = resumedIn !== undefined && resumed(report) === undefined
      const begins = isNew ? ({ begins: true } as const) : {}
      const life = {
        kind: 'process' as const,
        alive: report.alive,
        ours,
        ...begins,
        ...given({ cwd }),
      }
      if (!isClient(command)) return [life]
      const works = report.alive && startsTurn?.(argvOf(report))
      const turn = works ? [{ kind: 'turn-started' as const, by: 'user' as const }] : []
      return [life, ...placeOf(report), ...turn]
    },
  }
}

/**
 * SPEC A2, A4. A key shows that the user is there, and nothing about the agent: Enter may confirm,
 * submit or only break a line (a seed treated it as working, and later dropped that).
 */
export function keystrokeReader({ id }: Parts): SourceReader {
  return {
    about: ({ session, pane }) => ({
      agent: id,
      session: shortText(session),
      pane: shortText(pane),
    }),
    read: (report) => {
      if (report.what === 'look') return [{ kind: 'looked' }]
      // SPEC VW26. The user's name for the session from now on.
      if (report.what === 'name' && typeof report.name === 'string')
        return [{ kind: 'details', details: { name: cutWord(report.name) } }]
      return textIn(report.key) ? [{ kind: 'typed' }] : []
    },
  }
}

/**
 * SPEC T13. What the daemon reports of a session's loop: the loop it is in, and whether the turn
 * that asked to end may end (`let`) or continues (`kept`).
 */
export function loopReader({ id }: Parts): SourceReader {
  return {
    about: ({ session }) => ({ agent: id, session: shortText(session) }),
    read: (report) => {
      if (shortText(report.session) === undefined) return []
      const loop = facetOf(report.loop)
      return [
        ...(loop === undefined ? [] : [{ kind: 'loop' as const, loop }]),
        ...(report.turn === 'let' ? [{ kind: 'turn-ended' as const, how: 'done' as const }] : []),
        ...(report.turn === 'kept' ? [{ kind: 'turn-started' as const, by: 'hook' as const }] : []),
      ]
    },
  }
}

function facetOf(value: unknown): LoopFacet | null | undefined {
  if (value === null) return null
  const { state, iteration, max, hold, until }: Fields = fields(value)
  const [at, of] = [numberIn(iteration), numberIn(max)]
  const named = shortText(state)
  if (named === undefined || at === undefined || of === undefined) return undefined
  const held = shortText(hold) ?? null
  return { state: named, iteration: at, max: of, hold: held, until: numberIn(until) ?? null }
}

export function screenReader(
  id: string,
  readScreen: (text: string) => ScreenReading,
): SourceReader {
  return {
    about: (report) => aboutPane(id, report),
    read: (report) => {
      const shown = textIn(report.text)
      return shown ? [{ kind: 'screen', ...readScreen(shown) }, ...placeOf(report)] : []
    },
  }
}

/** SPEC X14. The state that an agent puts into its terminal's title is its own report. */
export function titleReader(
  id: string,
  readTitle: (title: string) => TitleReading | undefined,
): SourceReader {
  return {
    about: (report) => aboutPane(id, report),
    read: (report) => {
      const title = shortText(report.title)
      const reading = title === undefined ? undefined : readTitle(title)
      return reading ? [{ kind: 'self-report', ...reading }, ...placeOf(report)] : []
    },
    time: ({ t }) => t - TITLE_LAG_MS,
  }
}

/** vigil reads a pane because of the process in it, which the report names. */
function aboutPane(agent: string, { session, pane, pid }: Report) {
  return { agent, session: shortText(session), pane: shortText(pane), pid: numberIn(pid) }
}

function placeOf(report: Report): Happening[] {
  const details = given({ pane: shortText(report.tmuxPane), tmux: path(report.tmux) })
  return Object.keys(details).length > 0 ? [{ kind: 'details', details }] : []
}
