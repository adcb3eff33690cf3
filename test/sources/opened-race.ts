/**
 * Run by a test. `node opened-race.ts flip FOLDER`: makes `FOLDER/path` a file and a pipe by turns,
 * until it is ended. `node opened-race.ts open FOLDER`: opens it again and again meanwhile, and
 * prints how often it was which.
 */
import { closeSync, fstatSync, linkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openRegular } from '../../src/home/regular-file.ts'

const [, , what, folder = ''] = process.argv
const path = join(folder, 'path')
if (what === 'flip') flip()
else open()

function flip(): never {
  for (;;)
    for (const name of ['file', 'pipe']) {
      linkSync(join(folder, name), join(folder, 'draft'))
      renameSync(join(folder, 'draft'), path)
    }
}

function open(): void {
  const counts: Record<string, number> = {}
  for (const end = performance.now() + 1_000; performance.now() < end; ) {
    const opened = openRegular(path)
    const is = opened.is === 'open' && !fstatSync(opened.fd).isFile() ? 'wrong' : opened.is
    counts[is] = (counts[is] ?? 0) + 1
    if (opened.is === 'open') closeSync(opened.fd)
  }
  process.stdout.write(JSON.stringify(counts))
}
