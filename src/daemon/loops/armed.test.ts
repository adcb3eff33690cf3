import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Armed } from './armed.ts'

const run = mkdtempSync(join(tmpdir(), 'vigil-armed-'))
const folder = join(run, 'armed')
afterAll(() => rmSync(run, { recursive: true }))

it('[LP71] has a file for each session in a loop, and no folder without one', () => {
  const armed = new Armed(run)
  armed.set([])
  expect(existsSync(folder)).toBe(false)
  armed.set(['one', 'two'])
  expect(readdirSync(folder).toSorted()).toEqual(['one', 'two'])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  armed.set(['two', 'three'])
  expect(readdirSync(folder).toSorted()).toEqual(['three', 'two'])
  new Armed(run).set([])
  expect(existsSync(folder)).toBe(false)
})

it('[LP71] makes no file of what is no id', () => {
  const armed = new Armed(run)
  armed.set(['../out', '.', '', 'a/b', 'x'.repeat(300), 'fine-1'])
  expect(readdirSync(folder)).toEqual(['fine-1'])
  expect(existsSync(join(run, 'out'))).toBe(false)
  armed.set([])
})
