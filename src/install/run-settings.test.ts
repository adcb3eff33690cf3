import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { eventsFor, handlerFor } from '../agents/claude/events.ts'
import { runSettings } from './run-settings.ts'

const cwd = mkdtempSync(join(tmpdir(), 'vigil-run-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const mine = { matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] }
const OWN = { model: 'opus', hooks: { Stop: [mine], Odd: [mine] }, env: { A: '1' } }
const ours = { hooks: [handlerFor('Stop', '/h')] }
const CAP = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'
const of = (own?: string) =>
  runSettings({ hook: '/h', own, cwd, env: { HOME: cwd } }) as Record<string, object>

describe('settings for one run', () => {
  it('[I13] every event the client knows, without a file of the user’s', () => {
    expect(Object.keys(of().hooks ?? {})).toEqual(eventsFor())
    const newest = runSettings({ hook: '/h', version: '2.1.325', cwd })
    expect(Object.keys(newest.hooks as object)).toEqual(eventsFor('2.1.325'))
  })

  it.each([
    ['as JSON', JSON.stringify(OWN)],
    ['in a file', 'own.json'],
    ['in a file by its whole path', join(cwd, 'own.json')],
  ])('[I13] what the user gave %s is all there, vigil’s behind it', (_, own) => {
    writeFileSync(join(cwd, 'own.json'), JSON.stringify(OWN))
    const settings = of(own)
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
  ])('[LP40] but not where its user has set one: %s', (_, own, env, file) => {
    const path = file && join(cwd, file)
    if (path) mkdirSync(dirname(path), { recursive: true })
    if (path) writeFileSync(path, JSON.stringify({ env: { [CAP]: '5' } }))
    const all = { CLAUDE_CONFIG_DIR: join(cwd, 'home'), ...env }
    const { env: given } = runSettings({ hook: '/h', own, cwd, env: all })
    expect(given).toEqual(own && { [CAP]: '20' })
    if (path) writeFileSync(path, '{ broken')
    if (path) expect(runSettings({ hook: '/h', cwd, env: all }).env).toEqual({ [CAP]: '1000' })
  })

  it('[I13] a file of the user’s that is missing or broken is refused', () => {
    expect(() => of('nowhere.json')).toThrow(/nowhere\.json: no such file/)
    expect(() => of('{"a":')).toThrow('--settings:1:6: ')
    expect(() => of('{"hooks":{"Stop":1}}')).toThrow('--settings:1:18: "Stop": expected an array')
  })
})
