/**
 * Runs the commands in the `console` blocks of the documents against the demo, and writes what they
 * print behind them.
 *
 *   npm run outputs
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { documents, shownIn } from '../test/support/markdown.ts'
import { outputsOf, timeless } from './shown-outputs.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

for (const { path, text } of documents()) {
  const shown = shownIn(text)
  if (shown.length === 0) continue
  const outputs = await outputsOf(shown.map(({ command }) => command))
  let written = text
  for (const [at, { command, output }] of shown.entries()) {
    const printed = outputs[at] ?? []
    // What differs in times and codes alone is left as it is.
    if (timeless(printed).join('\n') === timeless(output).join('\n')) continue
    const before = [`$ ${command}`, ...output].join('\n')
    const after = [`$ ${command}`, ...printed].join('\n')
    written = written.replace(`${before}\n`, () => `${after}\n`)
  }
  if (written !== text) writeFileSync(root + path, written)
  process.stdout.write(`${path}: ${shown.length} commands${written === text ? '' : ', changed'}\n`)
}
process.exit()
