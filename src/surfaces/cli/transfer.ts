import type { Command } from 'commander'
import type { ExportOptions } from './export.ts'
import type { ImportOptions } from './import.ts'
import { SESSION_IS } from './option-words.ts'

export function addExport(program: Command): void {
  program
    .command('export')
    .description('print a session as a recording, for vigil replay or a bug report')
    .argument('<session>', SESSION_IS)
    .option('--full', 'with prompts, answers, what tools were given and gave, and paths')
    .option(
      '--lineage',
      'also export the other sessions of the same conversation (cleared, resumed or forked)',
    )
    .option('-o, --output <file>', 'write to this file, readable only by you')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', EXPORT_HELP)
    .action(async (name: string, options: ExportOptions) =>
      (await import('./export.ts')).exportSession(name, options),
    )
}

const EXPORT_HELP = `
Examples:
  vigil export payments > wrong.jsonl          to report a wrong state
  vigil export 3f2a --full -o run.jsonl        for yourself, with all texts
  vigil export payments | vigil replay /dev/stdin

Without --full, vigil replaces every text that is not the client's own by [hidden 1], [hidden 2], …,
renames folders and blanks the text of screens. It replays both versions, and the states must be the
same; otherwise it hides less, and says so. The states that vigil showed live are included, as notes
that a replay ignores.`

export function addImport(program: Command): void {
  program
    .command('import')
    .description('add recordings to the log, as sessions that are not live, and print their ids')
    .argument('<file...>', 'recordings: one JSON object per line, each {"t":…,"source":…}')
    .option('--name <name>', 'a name for the machine it comes from (default: the file’s name)')
    .option('--json', 'print one JSON object per line for each file')
    .addHelpText('after', IMPORT_HELP)
    .action(async (files: string[], options: ImportOptions) =>
      (await import('./import.ts')).importRecordings(files, options),
    )
}

const IMPORT_HELP = `
Examples:
  vigil import wrong.jsonl                     wrong/3f2a…
  vigil why wrong/3f2a                         … and why it was in its state
  vigil import --name ada wrong.jsonl
  vigil status --all                           includes imported sessions

Exit code 2: a file was missing, empty, incomplete or not a recording; the others are imported.`
