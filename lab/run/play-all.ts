import { readFileSync } from 'node:fs'
import { percent } from '../../src/recording/meter.ts'
import { readRecording } from '../../src/recording/read.ts'
import { truthOf } from '../../src/recording/truth.ts'
import type { Titled } from '../conversation.ts'
import { type LiveOptions, watchLive } from '../live/watch.ts'
import type { Played, PlayOptions } from '../play.ts'
import { longestWrongMs } from '../report/order.ts'
import { msText, percentText, secondsText } from '../report/words.ts'
import { quantile } from '../score/delays.ts'
import { type Figures, type Result, resultOf } from '../score/result.ts'

export interface PlayAll<T extends Titled> {
  readonly playOne: (conversation: T, options: PlayOptions) => Promise<Played>
  readonly client: string
  readonly times: number
  readonly jobs: number
  /** Undefined: no daemon watches. */
  readonly live: (Omit<LiveOptions, 'restartAt'> & { readonly restart: boolean }) | undefined
  /** One line for each, as it ends. */
  readonly tell: (text: string) => void
  /** Gets each recording when it was made. */
  readonly keep: (name: string, played: Played) => void
}

/** Plays all, `jobs` at a time; a failure is reported and recorded, and the next one runs. */
export async function playAll<T extends Titled>(
  conversations: readonly T[],
  options: PlayAll<T>,
): Promise<readonly Result[]> {
  const plays = conversations.flatMap((conversation) =>
    Array.from({ length: options.times }, (_, time) => ({
      conversation,
      name: time === 0 ? conversation.name : `${conversation.name}.${time + 1}`,
    })),
  )
  const results: Result[] = []
  const waiting = plays.entries()
  const work = async () => {
    for (const [index, { conversation, name }] of waiting)
      results[index] = await playOne(conversation, name, `${index + 1}/${plays.length}`, options)
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
  return results
}

async function playOne<T extends Titled>(
  conversation: T,
  name: string,
  count: string,
  options: PlayAll<T>,
): Promise<Result> {
  const { tell, keep } = options
  const begun = performance.now()
  const played = await attempt(conversation, options)
  if (played.text !== '') keep(name, played)
  const result = resultFor(name, played)
  const took = secondsText(performance.now() - begun, 1)
  tell(`${count.padStart(7)} ${name}  ${took}  ${wordsOf(result)}\n`)
  if (result.failed !== undefined) tell(`${result.failed.trimEnd()}\n`)
  return result
}

/** An error before the conversation begins is a failure like any other. */
async function attempt<T extends Titled>(conversation: T, options: PlayAll<T>): Promise<Played> {
  const { client } = options
  const watch = watchFor(conversation, options.live)
  try {
    return await options.playOne(conversation, { client, ...(watch && { watch }) })
  } catch (error) {
    return { conversation, client, lines: [], text: '', failed: error as Error }
  }
}

/** As read back from its file, with normalised paths and names. */
function resultFor(name: string, { conversation, client, text, failed }: Played): Result {
  return resultOf({
    name,
    shows: conversation.shows,
    client,
    lines: text === '' ? [] : readRecording(name, text).lines,
    ...(failed && { failed: failed.message }),
  })
}

function watchFor({ name }: Titled, live: PlayAll<Titled>['live']): PlayOptions['watch'] {
  if (!live) return undefined
  const { restart, ...rest } = live
  return watchLive({ ...rest, ...(restart && { restartAt: middleOf(name) }) })
}

/** Before the second state nothing has happened that could be lost. */
const RESTART_AT_MIN = 2

/** Half way through the changes of its recording. */
export function middleOf(
  name: string,
  folder = new URL('../../test/recordings/', import.meta.url),
) {
  try {
    const { lines } = readRecording(name, readFileSync(new URL(`${name}.jsonl`, folder), 'utf8'))
    return Math.max(RESTART_AT_MIN, Math.floor(truthOf(lines).length / 2))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return RESTART_AT_MIN
    throw error
  }
}

function wordsOf(result: Result): string {
  const words = (who: string, figures: Figures | undefined) => {
    if (!figures) return []
    const { score, delays } = figures
    const right = percentText(percent(score.rightMs, score.totalMs))
    return [`${who} ${right} %, ${msText(quantile(delays.ms, 0.5))}`]
  }
  const wrong = longestWrongMs(result)
  return [
    ...(result.failed === undefined ? [] : ['FAILED']),
    ...words('core', result.core),
    ...words('live', result.live),
    ...(wrong > 0 ? [`wrong for ${msText(wrong)}`] : []),
  ].join('  ')
}
