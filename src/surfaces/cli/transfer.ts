import type { Command } from 'commander'
import type { ExportOptions } from './export.ts'
import type { ImportOptions } from './import.ts'
import { SESSION_IS } from './session-is.ts'

export function addExport(program: Command): void {
  program
    .command('export')
    .description('a session from the log as a recording, for vigil replay or a bug report')
    .argument('<session>', SESSION_IS)
    .option('--full', 'with prompts, answers, what tools were given and gave, and paths')
    .option(
      '--lineage',
      'the other sessions of the same conversation, too (cleared, resumed or forked)',
    )
    .option('-o, --output <file>', 'write to this file, for its user alone')
    .option('--force', 'replace the file if it is there')
    .addHelpText('after', EXPORT_HELP)
    .action(async (name: string, options: ExportOptions) =>
      (await import('./export.ts')).exportSession(name, options),
    )
}

const EXPORT_HELP = `
Examples:
  vigil export payments > wrong.jsonl          to report a wrong verdict with
  vigil export 3f2a --full -o run.jsonl        for yourself: nothing hidden
  vigil export payments | vigil replay /dev/stdin

Unless --full, every text that is not the client's own is replaced by [hidden 1], [hidden 2], …,
folders get other names and screens keep their shape only. Both are played, and what vigil says
about them must be the same; where it is not, less is hidden, and you are told. What vigil said
live goes along, as notes that no replay looks at.`

export function addImport(program: Command): void {
  program
    .command('import')
    .description('recordings into the log, as sessions that are not live; prints their ids')
    .argument('<file...>', 'recordings: one JSON object a line, each {"t":…,"source":…}')
    .option('--name <name>', 'what to call the machine it comes from; else the file’s name')
    .option('--json', 'one JSON object a line for each file')
    .addHelpText('after', IMPORT_HELP)
    .action(async (files: string[], options: ImportOptions) =>
      (await import('./import.ts')).importRecordings(files, options),
    )
}

const IMPORT_HELP = `
Examples:
  vigil import wrong.jsonl                     wrong/3f2a…
  vigil why wrong/3f2a                         … and why it was said to be what it was
  vigil import --name ada wrong.jsonl
  vigil status --all                           imported sessions are among these

Exit code 2: a file was missing, empty, torn or not a recording; the others are imported.`
