import { EditRefused } from '../edit/refused.ts'
import type { Folders } from '../home/folders.ts'
import { backUp } from './backup.ts'
import { Changed, replaceSettings } from './files.ts'
import type { HomePlan } from './plan.ts'

/** The result for one file. */
export interface Outcome {
  readonly agent: string
  readonly home: string
  readonly path: string
  /** Undefined if there is no file. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly changed: boolean
  readonly backup?: string
  readonly warnings: readonly string[]
  /** Whether the client reads the file. */
  readonly inForce: boolean
  /** Events that lost their hook, while others kept theirs. */
  readonly dropped: readonly string[]
}

/**
 * A client writes its settings now and then; install does not wait for a client that writes all the
 * time.
 */
const TRIES_MAX = 5

/** SPEC I8. Writes the changed files of a home, and plans again if they changed meanwhile. */
export function writeHome(
  plan: HomePlan,
  folders: Folders,
  now: () => Date,
  again: () => HomePlan,
): Outcome[] {
  const written = new Map<string, Partial<Outcome>>()
  let current = plan
  for (let tries = 1; ; tries++)
    try {
      for (const found of current.files) {
        const { file, text, path, after } = found
        if (text === after) continue
        const backup = text === undefined ? undefined : backUp(folders, path, text, now())
        replaceSettings(found, after)
        written.set(file, { before: text, changed: true, ...(backup && { backup }) })
      }
      const done = outcomesOf(current)
      return done.map((outcome, at) => ({
        ...outcome,
        ...written.get(current.files[at]?.file ?? ''),
      }))
    } catch (error) {
      if (!(error instanceof Changed)) throw error
      if (tries >= TRIES_MAX)
        throw new EditRefused(`${error.message}: another program is changing it; try again`)
      current = again()
    }
}

/** The outcomes of a plan. The warnings of a home are attached to its first file. */
export function outcomesOf({ target, home, files, inForce, ...plan }: HomePlan): Outcome[] {
  return files.map(({ path, text: before, after }, at) => {
    const { warnings, dropped } = at === 0 ? plan : { warnings: [], dropped: [] }
    const changed = before !== after
    const of = { agent: target.agent, home, path, before, after }
    return { ...of, changed, warnings, inForce, dropped }
  })
}
