import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SHARED_MAX, SHARED_MAX_WORDS } from '../../src/fleet/shared-choice.ts'

it('[FL206] no part of the fleet formats by a locale', () => {
  const files = globSync('src/{fleet,daemon/fleet}/**/*.ts')
  expect(files.length).toBeGreaterThan(50)
  const isLocal = /\.toLocale\w*\(|\bIntl\.|localeCompare/
  expect(files.filter((path) => isLocal.test(readFileSync(path, 'utf8')))).toEqual([])
  expect(SHARED_MAX_WORDS).toBe(SHARED_MAX.toLocaleString('en'))
})
