import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { BadInput } from './bad-input.ts'
import { addDemo } from './demo.ts'
import { addReplay } from './replay.ts'
import { addScore } from './score.ts'

const HELP = `
Examples:
  vigil demo                     eight recorded agents at once, as a live view
  vigil replay run.jsonl         what vigil would have said about a run, and why
  vigil score recordings/*.jsonl how right it would have been`

const program = new Command('vigil')
  .description('Knows what every coding agent is doing, and is never wrong for long.')
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'show this help')
  .showHelpAfterError('(vigil --help shows what there is)')
  .addHelpText('after', HELP)
  .exitOverride()

addDemo(program)
addReplay(program)
addScore(program)

// `vigil replay FILE | head` closes our output early: that is the reader's wish, not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

/** Bad input is 2, as for most commands; commander has printed its own errors already. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!(error instanceof BadInput)) throw error
  process.stderr.write(`vigil: ${error.message}\n`)
  return 2
}

function version(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return String(JSON.parse(manifest).version)
}
