import { expect, it } from 'vitest'
import { filesOf } from './support/files.ts'

/**
 * SPEC BR8. Files of these layers that open or read files by themselves, each with the reason why
 * no agent names what it opens. Everything else goes through `src/home/regular-file.ts`.
 */
const REASONS: Readonly<Record<string, string>> = {
  'src/client/ask.ts': 'the token, in the private run folder',
  'src/client/front.ts': 'the log, in the private state folder',
  'src/client/holder.ts': 'in the private run folder; its pipe without waiting',
  'src/client/start.ts': 'in the private run folder',
  'src/daemon/api/page.ts': 'the page, from the installation',
  'src/daemon/browsers/file.ts': 'in the private state folder; checked after opening',
  'src/daemon/log.ts': 'the log, in the private state folder',
  'src/daemon/requests/waiting-hooks.ts': 'hooks’ pipes, in the private run folder; checked',
  'src/home/daemon-files.ts': 'in the private run folder',
  'src/home/plain-file.ts': 'for the files on this list that read vigil’s own files',
  'src/home/policy.ts': 'below /etc; checked after opening',
  'src/home/regular-file.ts': 'what every other file goes through',
  'src/home/seen-settings.ts': 'in the private state folder',
  'src/home/settings.ts': 'in the private configuration folder',
  'src/home/version.ts': 'package.json of the installation',
  'src/platform/ancestors.ts': '/proc',
  'src/platform/began.ts': '/proc/stat',
  'src/platform/boot.ts': 'the id of the boot, in /proc',
  'src/platform/inherited.ts': '/proc/self/fd',
  'src/platform/machine-id.ts': '/etc/machine-id',
  'src/platform/owners.ts': '/etc/group',
  'src/platform/proc-table.ts': '/proc',
  'src/platform/process-files.ts': '/proc',
  'src/platform/process-terminal.ts': '/proc',
  'src/platform/socket-owners.ts': '/proc/net',
  'src/platform/wake-pipe.ts': 'a pipe that it made, in the private run folder',
  'src/store/audit-head.ts': 'in the private state folder',
  'src/store/connect.ts': 'the log, in the private data folder',
  'src/store/header.ts': 'the log, in the private data folder',
  'src/store/wal.ts': 'the log, in the private data folder',
  'src/surfaces/cli/audit-verify.ts': 'a file that the command line names; it may be a pipe',
  'src/surfaces/cli/doctor/script.ts': 'the installed hook, found to be a regular file',
  'src/surfaces/cli/export.ts': 'writes a new file that a person names',
  'src/surfaces/cli/jump.ts': 'in the private state folder',
  'src/surfaces/cli/loop-prompt.ts': 'a file that the command line names; it may be a pipe',
  'src/surfaces/cli/loop-transfer.ts': 'a file that the command line names; it may be a pipe',
  'src/surfaces/cli/notify-settings.ts': 'a file that the command line names; it may be a pipe',
  'src/surfaces/cli/recordings.ts': 'a file that the command line names; it may be a pipe',
  'src/surfaces/cli/service.ts': 'units in the folder of the user’s own systemd',
  'src/surfaces/demo/story.ts': 'what the demo plays, from the installation',
  'src/surfaces/loop/contained.ts': 'writes a file of git’s own; no link, without waiting',
  'src/surfaces/notify/channels/terminal.ts':
    'writes to a terminal; without waiting, checked after',
  'src/surfaces/notify/memory.ts': 'in the private state folder',
}

const OPENS = /\b((open|read|createRead|copy|cp)[A-Za-z]*|fileText|jsonInFile)\b/g
/** Folders and links are listed and resolved by their names; nothing is opened that could wait. */
const HARMLESS = new Set(['readdir', 'readdirSync', 'readlink', 'readlinkSync', 'opendir'])

/** What it takes from node:fs, or from `home/plain-file.ts`, to open or read a file. */
function opensOf(text: string): readonly string[] {
  const found = text.matchAll(
    /import\s+([^'";]+?)\s+from '(?:node:fs(?:\/promises)?|[./]*\/(?:home\/)?plain-file\.ts)'/g,
  )
  return [...found].flatMap(([, names = '']) => {
    if (!names.startsWith('{')) return ['all of it']
    return (names.match(OPENS) ?? []).filter((name) => !HARMLESS.has(name) && name !== 'readSync')
  })
}

const files = filesOf(
  'src/{platform,home,sources,store,client,daemon,surfaces,agents,app}/**/*.{ts,tsx}',
)
  .filter(({ path }) => !path.includes('.test.'))
  .filter(({ text }) => opensOf(text).length > 0)

it('[BR8] what opens files by itself is listed, with a reason', () => {
  expect(files.map(({ path }) => path).toSorted()).toEqual(Object.keys(REASONS).toSorted())
})

it('[BR8] nothing goes around it', () => {
  const around = /(getBuiltinModule|require|import)\(\s*'(node:)?fs|from 'fs/
  const all = filesOf(
    'src/{platform,home,sources,store,client,daemon,surfaces,agents,app}/**/*.{ts,tsx}',
  ).filter(({ path }) => !path.includes('.test.'))
  expect(all.filter(({ text }) => around.test(text)).map(({ path }) => path)).toEqual([])
})

it('the check itself sees what it forbids', () => {
  expect(opensOf("import { readFileSync, statSync } from 'node:fs'")).toEqual(['readFileSync'])
  expect(opensOf("import {\n  open,\n} from 'node:fs/promises'")).toEqual(['open'])
  expect(opensOf("import * as fs from 'node:fs'")).toEqual(['all of it'])
  expect(opensOf("import { readdirSync } from 'node:fs'")).toEqual([])
  expect(opensOf("import { fileNames, jsonInFile } from '../../home/plain-file.ts'")).toEqual([
    'jsonInFile',
  ])
})
