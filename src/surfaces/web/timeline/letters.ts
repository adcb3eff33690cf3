import { runsOf } from '../../../view/safe.ts'
import { plain } from '../../../view/session.ts'

/** Text of an agent's for a picture, where no mark can stand in it: what is not seen is a dot. */
export function letters(text: string, max: number): string {
  const seen = runsOf(text.slice(0, max * 4 + 100)).map((run) =>
    run.kind === 'text' ? run.text : '·',
  )
  return plain(seen.join(''), max)
}
