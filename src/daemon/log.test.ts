import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLog, RotatedFile } from './log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('[K7] is one JSON object a line, for its user alone', () => {
  const path = join(folder, 'vigil.log')
  openLog(path).warn({ pid: 7 }, 'odd')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: 7, msg: 'odd' })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('[K7] is moved aside when it has grown, and three predecessors are kept', () => {
  const path = join(folder, 'vigil.log')
  const file = new RotatedFile(path, 100)
  for (let line = 0; line < 40; line++) file.write(`${String(line).padStart(59)}\n`)
  expect(readdirSync(folder).sort()).toEqual([
    'vigil.log',
    'vigil.log.1',
    'vigil.log.2',
    'vigil.log.3',
  ])
  const kept = ['.3', '.2', '.1', ''].map((end) => readFileSync(path + end, 'utf8')).join('')
  const lines = kept.trimEnd().split('\n').map(Number)
  expect(lines).toEqual(lines.map((_, i) => 40 - lines.length + i))
  expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(160)
})

it('[K7] that cannot be written stops nothing, and continues when it can', () => {
  const path = join(folder, 'gone', 'vigil.log')
  const file = new RotatedFile(path, 100)
  expect(() => file.write('lost\n')).not.toThrow()
  writeFileSync(join(folder, 'gone'), '')
  expect(() => file.write('lost too\n')).not.toThrow()
})
