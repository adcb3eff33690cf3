import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../lab/drive/client.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { say, script, tool } from '../../lab/model/script.ts'
import { until } from '../../lab/until.ts'
import type { CheckFinding } from '../../src/agents/finding.ts'
import { Vigil } from '../e2e/vigil.ts'
import { CODE_CACHE } from '../support/code-cache.ts'

const SECRETS = ['hunter2', 'swordfish', 'opensesame', 'tell-nobody', 'letmein']

const talk = script('secrets')
  .on('hunter2', say('swordfish, I say.'), tool('Bash', { command: 'echo opensesame; touch x' }))
  .next(say('letmein and be done.'))
  .on('again', tool('Read', { file_path: 'tell-nobody.txt' }))
  .next(say('It says letmein.'))

describe('with the real client', () => {
  let stage: Stage
  let vigil: Vigil
  let client: Client
  let session: string

  beforeAll(async () => {
    stage = await openStage(talk, {
      env: ({ root }) => ({ VIGIL_HOME: join(root, 'vigil'), ...CODE_CACHE }),
    })
    vigil = new Vigil(stage)
    writeFileSync(join(stage.place.project, 'tell-nobody.txt'), 'letmein\n')
    await vigil.run(['install', '--statusline'])
    // What a daemon finds when it starts was there before it could say so.
    await vigil.status()
    client = await stage.claude()
    await client.submit('my password is hunter2')
    await client.pane.sees(/Do you want to proceed\?/)
    await client.answer(/Do you want to proceed\?/, 'Enter')
    await client.pane.sees(/be done\./)
    await client.submit('and again')
    await client.pane.sees(/It says/)
    session = (await vigil.says({ pid: client.pane.pid }, { state: 'idle' })).id
  })
  afterAll(async () => {
    await vigil?.run(['stop']).catch(() => {})
    await stage?.end()
  })

  it('[CM2] an export tells no secret, and a replay of it says what vigil said', async () => {
    const { stdout: full } = await vigil.run(['export', session, '--full'])
    for (const secret of SECRETS) expect(full).toContain(secret)
    const file = join(stage.place.root, 'run.jsonl')
    const { stderr } = await vigil.run(['export', session, '-o', file])
    expect(stderr).toMatch(/^vigil: .*run\.jsonl: \d+ reports\n$/)
    const { stdout: told } = await stage.run(['cat', file])
    for (const secret of [...SECRETS, stage.place.root, 'project"'])
      expect(told).not.toContain(secret)
    const history = (text: string) =>
      text
        .split('\n')
        .flatMap((line) => (line === '' ? [] : JSON.parse(line)))
        // Before it was named it was a process.
        .filter((line) => line.session === session)
        .map(({ state, for: what }) => [state, what])
    const said = told.split('\n').filter((line) => line.includes('"source":"vigil"'))
    const { stdout: again } = await vigil.run(['replay', '--json', '--tail', '1', file])
    expect(history(again)).toEqual(history(said.join('\n')))
    expect(history(again)).toContainEqual(['waiting', 'permission'])
  })

  it('[CM11][CM13] the doctor finds all well, and every hook delivered', async () => {
    const settings = join(stage.place.home, '.claude/settings.json')
    const look = async () => {
      const { stdout } = await vigil.run(['doctor', '--json'])
      const { findings } = JSON.parse(stdout) as { findings: CheckFinding[] }
      // Another client of the machine may be running with a folder of its own.
      const ours = findings.filter(({ figures }) => (figures?.settings ?? settings) === settings)
      const by = Object.fromEntries(ours.map((finding) => [finding.about, finding]))
      // What is younger than ten seconds is left out: its hook may be under way.
      const { Stop } = (by.delivery?.figures ?? {}) as Record<string, { expected: number }>
      return Stop?.expected === 2 ? by : undefined
    }
    const by = await until('the doctor to count', look, { withinMs: 40_000 })
    for (const about of ['claude', 'hooks', 'script', 'daemon', 'tmux', 'delivery'])
      expect(by[about], about).toMatchObject({ level: 'ok' })
    expect(by.delivery?.figures).toEqual({
      UserPromptSubmit: { expected: 2, told: 2 },
      // The short set has no hook for a tool.
      PreToolUse: { expected: 0, told: 0 },
      PostToolUse: { expected: 0, told: 0 },
      Stop: { expected: 2, told: 2 },
    })
  })
})
