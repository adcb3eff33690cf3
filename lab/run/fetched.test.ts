import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clientOf } from '../clients.ts'
import { fetched } from './fetched.ts'

/** No such client was ever published: this test made it. */
const CLIENT = '0.0.1'
const PLACE = fileURLToPath(new URL(`../../.cache/clients/${CLIENT}`, import.meta.url))

/** As npm leaves a client that says its version. */
const INSTALLS = `PATH=/usr/bin:/bin
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho "${CLIENT} (Claude Code)"\\n' > node_modules/.bin/claude
chmod +x node_modules/.bin/claude`

let programs: string
let told: string[]

/** Only these programs are found, so there is no network access. */
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'vigil-fetched-'))
  told = []
  vi.stubEnv('PATH', programs)
})

afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of [programs, PLACE]) rmSync(folder, { recursive: true, force: true })
})

function has(program: string, script: string): void {
  writeFileSync(join(programs, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

const ask = (client = CLIENT) => fetched(client, (text) => told.push(text))

it('a client that is not there is fetched, once', async () => {
  has('tmux', 'exit 0')
  has('npm', INSTALLS)
  expect(await ask()).toBeUndefined()
  expect(clientOf(CLIENT)).toBe(join(PLACE, 'node_modules/.bin/claude'))
  has('npm', 'exit 1')
  expect(await ask()).toBeUndefined()
  expect(told).toEqual([`client ${CLIENT}: installing …\n`])
})

it('what npm says is handed on, and nothing is left', async () => {
  has('tmux', 'exit 0')
  has('npm', 'echo no network >&2; exit 1')
  expect(await ask()).toBe(`client ${CLIENT}: npm could not install it\nno network`)
  expect(clientOf(CLIENT)).toBeUndefined()
})

it('a client that does not run is none', async () => {
  has('tmux', 'exit 0')
  has('npm', INSTALLS.replace(`"${CLIENT} `, '"9.9.9 '))
  expect(await ask()).toContain('installed, but does not run')
  expect(clientOf(CLIENT)).toBeUndefined()
})

it('a name that is not a version is requested from no server', async () => {
  has('tmux', 'exit 0')
  expect(await ask('newest')).toMatch(/^client newest: expected a version such as \d/)
})

it('without tmux none is fetched', async () => {
  has('npm', INSTALLS)
  expect(await ask()).toBe('tmux is not installed')
  expect(told).toEqual([])
})
