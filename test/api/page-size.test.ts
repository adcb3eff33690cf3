import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtPage } from '../support/built-page.ts'

const FIRST_LOAD_MAX_BYTES = 300_000
let folder = ''
let index = ''

beforeAll(async () => {
  folder = await builtPage()
  index = readFileSync(join(folder, 'index.html'), 'utf8')
})

describe('the page as it is built', () => {
  it('[PG23] comes with less than 300 KB before it shows anything', () => {
    const needed = [
      'index.html',
      ...[...index.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path]) => path ?? ''),
    ]
    expect(needed.some((path) => path.endsWith('.js'))).toBe(true)
    expect(needed.some((path) => path.endsWith('.css'))).toBe(true)
    const bytes = needed.map((path) => statSync(join(folder, `${path}.gz`)).size)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_MAX_BYTES)
  })

  it('[PG23] leaves out what not every view needs', () => {
    const first = /src="\/(assets\/[^"]+\.js)"/.exec(index)?.[1] ?? ''
    const script = readFileSync(join(folder, first), 'utf8')
    for (const late of ['recharts', 'xterm', 'micromark']) expect(script).not.toContain(late)
    expect(
      readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js')).length,
    ).toBeGreaterThan(3)
  })

  it('[PG23] has no script or style within its HTML, and loads nothing from other servers', () => {
    expect(index).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/)
    expect(index).not.toMatch(/https?:\/\//)
  })
})
