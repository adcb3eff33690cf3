import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { itUnless } from '../support/needs.ts'
import { aPath } from './samples.ts'

const FILLER = fileURLToPath(new URL('./filler.ts', import.meta.url))

/** A file system of the test's own, in a namespace that ends with its process. */
function mounted(script: string, folder: string) {
  const unshared = 'exec unshare --user --map-root-user --mount sh -ec "$@"'
  const args = ['-c', unshared, 'sh', script, 'sh', folder, process.execPath, FILLER]
  return spawnSync('sh', args, { encoding: 'utf8' })
}

const noMount =
  mounted('mount -t tmpfs none "$1"', dirname(dirname(aPath()))).status === 0
    ? undefined
    : 'nothing can be mounted'

itUnless(noMount)('[D1] a disk that is really full is said, and the log goes on after it', () => {
  const folder = dirname(aPath())
  mkdirSync(folder)
  const script = 'mount -t tmpfs -o size=2m,mode=700 none "$1"; exec "$2" "$3" fill "$1"'
  const { stdout, stderr, status } = mounted(script, folder)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const said = JSON.parse(stdout)
  expect(said).toMatchObject({ reason: 'full', ballast: 'full', integrity: 'ok', notice: null })
  expect(said.acknowledged).toBeGreaterThan(20)
  expect(said.kept).toBe(said.acknowledged)
  expect(said.after).toBe(said.acknowledged + 1)
})

itUnless(noMount)('[D1] a file system that is read-only is said to be', () => {
  const folder = dirname(aPath())
  mkdirSync(folder)
  const script = `mount -t tmpfs -o mode=700 none "$1"
    "$2" "$3" make "$1"
    mount -o remount,ro "$1"
    exec "$2" "$3" refuse "$1"`
  const { stdout, stderr, status } = mounted(script, folder)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ reason: 'read-only' })
})
