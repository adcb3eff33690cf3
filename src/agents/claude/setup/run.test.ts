import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettingsFile } from '../../../install/files.ts'
import type { RunContext } from '../../setup.ts'
import { EVENTS, handlerFor, wantedEvents } from '../events.ts'
import { runWithHooks } from './run.ts'

const cwd = mkdtempSync(join(tmpdir(), 'vigil-run-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const mine = { matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] }
const OWN = { model: 'opus', hooks: { Stop: [mine], Odd: [mine] }, env: { A: '1' } }
const ours = { hooks: [handlerFor('Stop', '/h')] }
const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'
const own = { hook: '/h', earlier: [], scripts: '/', copies: '/' }
const read = (path: string) => readSettingsFile(path).text
const place: RunContext = {
  home: cwd,
  version: undefined,
  own,
  sha256: String,
  cwd,
  env: {},
  read,
  file: '/run.json',
}

/** The settings of a run for a user with these settings. */
function of(given?: string, more: Partial<RunContext> = {}): Record<string, object> {
  const args = given === undefined ? [] : ['--settings', given]
  return JSON.parse(runWithHooks(args, { ...place, ...more }).text ?? '')
}

describe('settings for one run', () => {
  it('[I13][I23] the events that are wanted, or all, without a file of the user’s', () => {
    const events = (more?: Partial<RunContext>) => Object.keys(of(undefined, more).hooks ?? {})
    expect(events()).toEqual(wantedEvents(undefined))
    expect(events({ version: '2.1.325' })).toEqual(wantedEvents('2.1.325'))
    expect(events({ version: '2.1.325', allEvents: true })).toEqual(EVENTS)
  })

  it.each([
    ['as JSON', JSON.stringify(OWN)],
    ['in a file', 'own.json'],
    ['in a file by its whole path', join(cwd, 'own.json')],
  ])('[I13] what the user gave %s is all there, vigil’s behind it', (_, given) => {
    writeFileSync(join(cwd, 'own.json'), JSON.stringify(OWN))
    const settings = of(given)
    expect(settings).toMatchObject({ model: 'opus', env: { A: '1' }, hooks: { Odd: [mine] } })
    expect(settings.hooks).toHaveProperty('Stop', [mine, ours])
  })

  it('[LP40] the client’s cap on blocked Stops is raised', () => {
    expect(of().env).toEqual({ [CAP]: '1000' })
    expect(of(JSON.stringify(OWN)).env).toEqual({ A: '1', [CAP]: '1000' })
  })

  it.each([
    ['in --settings', JSON.stringify({ env: { [CAP]: '20' } }), {}, undefined],
    ['in the environment', undefined, { [CAP]: '0' }, undefined],
    ['in the user’s settings', undefined, {}, 'home/settings.json'],
    ['in the project’s', undefined, {}, '.claude/settings.json'],
    ['in the project’s own', undefined, {}, '.claude/settings.local.json'],
  ])('[LP40] but not where its user has set one: %s', (_, given, env, file) => {
    const path = file && join(cwd, file)
    if (path) mkdirSync(dirname(path), { recursive: true })
    if (path) writeFileSync(path, JSON.stringify({ env: { [CAP]: '5' } }))
    const at = { home: join(cwd, 'home'), env }
    expect(of(given, at).env).toEqual(given && { [CAP]: '20' })
    if (path) writeFileSync(path, '{ broken')
    if (path) expect(of(undefined, at).env).toEqual({ [CAP]: '1000' })
  })

  it('[I13] a file of the user’s that is missing or broken is refused', () => {
    expect(() => of('nowhere.json')).toThrow(/nowhere\.json: no such file/)
    expect(() => of('{"a":')).toThrow('--settings:1:6: ')
    expect(() => of('{"hooks":{"Stop":1}}')).toThrow('--settings:1:18: "Stop": expected an array')
  })

  it('[I13] stand first, in place of every --settings that was given', () => {
    const args = ['-p', 'x', '--settings', '{}', '--settings={}', '--', '--settings']
    const after = ['--settings', '/run.json', '-p', 'x', '--', '--settings']
    expect(runWithHooks(args, place).args).toEqual(after)
  })
})
