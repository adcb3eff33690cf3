import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readRecording } from '../../src/recording/read.ts'
import { BadInput } from '../../src/surfaces/cli/bad-input.ts'
import { jsonOf } from '../report/json.ts'
import { pageOf } from '../report/page.ts'
import { type Result, resultOf } from '../score/result.ts'
import type { Sums } from '../score/sums.ts'

/** Where a run of the lab is stored: its recordings, its figures, its page. */
export class Folder {
  readonly path: string

  constructor(path: string) {
    this.path = resolve(path)
    mkdirSync(this.path, { recursive: true })
  }

  keep(name: string, recording: string): void {
    writeFileSync(join(this.path, `${name}.jsonl`), recording)
  }

  /** Returns the path of the page. */
  report(results: readonly Result[], sums: Sums, about: string): string {
    const figures = { about, sum: sums, runs: results.map(jsonOf) }
    writeFileSync(join(this.path, 'results.json'), `${JSON.stringify(figures, null, 2)}\n`)
    const page = join(this.path, 'index.html')
    writeFileSync(page, pageOf(results, sums, about))
    return page
  }
}

/** Measures the recordings of an earlier run again. */
export function resultsIn(folder: string): readonly Result[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const files = names.filter((name) => name.endsWith('.jsonl')).toSorted()
  if (files.length === 0) throw new BadInput(`${folder}: there is no recording in it`)
  return files.map((file) => {
    const name = file.replace(/\.jsonl$/, '')
    const { lines } = readRecording(name, readFileSync(join(folder, file), 'utf8'))
    const meta = lines.find(({ source }) => source === 'meta')
    const [shows, client] = [String(meta?.shows ?? ''), String(meta?.version ?? '')]
    return resultOf({ name, shows, client, lines })
  })
}

/** `2026-11-16 02:31:05`, in local time. */
export function timeOf(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}
