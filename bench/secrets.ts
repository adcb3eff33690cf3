/** `npm run bench:secrets`: how long the search for secrets takes on the worst texts. */
import { withoutSecrets } from '../src/surfaces/notify/secrets.ts'
import { slowTexts } from '../test/notify/slow-texts.ts'
import { at, measure } from './limits.ts'

const TRIES = 5

await measure([
  {
    name: 'secrets',
    limit: '8,000 letters of any text within 25 ms, a million within 1 s',
    run: () => ({
      texts: slowTexts().length,
      ms8000Letters: worstOf(8_000),
      ms80000Letters: worstOf(80_000),
      msMillionLetters: worstOf(1_000_000),
    }),
    holds: (figures) =>
      at(figures, 'ms8000Letters') < 25 && at(figures, 'msMillionLetters') < 1_000,
  },
])

function worstOf(letters: number): number {
  return Math.max(...slowTexts().map(([, text]) => timeOf(text(letters))))
}

/** The best of several, because the machine may be busy. */
function timeOf(text: string): number {
  const times = Array.from({ length: TRIES }, () => {
    const began = performance.now()
    withoutSecrets(text)
    return performance.now() - began
  })
  return Math.min(...times)
}
