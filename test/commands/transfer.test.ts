import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Verdict } from '../../src/core/verdict.ts'
import { type Recording, readRecording, reportsOf } from '../../src/recording/read.ts'
import { allRecordings } from '../support/recordings.ts'
import { startEngine } from './support.ts'

/** As far past the end as an import is played. */
const TAIL_MS = 20_000
const NAMES = ['bash_approve', 'agent_perm', 'esc_tool']
const recordings = allRecordings().filter(({ name }) => [...NAMES, 'clear'].includes(name))

let rig: Awaited<ReturnType<typeof startEngine>>
const ids = new Map<string, string>()
const folder = mkdtempSync(join(tmpdir(), 'vigil-transfer-'))

beforeAll(async () => {
  rig = await startEngine()
  for (const recording of recordings.toSorted((a, b) => startOf(a) - startOf(b))) {
    rig.play(reportsOf(recording), TAIL_MS)
    const payload = reportsOf(recording).find(({ source }) => source === 'hook')?.payload
    ids.set(recording.name, (payload as { session_id: string }).session_id)
  }
})

afterAll(async () => {
  await rig.close()
  rmSync(folder, { recursive: true, maxRetries: 10 })
})

function startOf({ lines }: Recording): number {
  return lines[0]?.t ?? 0
}

/** What the daemon said, or what a replay says, in one shape. */
function historyOf(id: string, prefix = '') {
  return rig.engine
    .history(prefix + id, 1000)
    .map(({ t, verdict }) => ({ t, state: verdict.state, rule: verdict.rule, id }))
    .toReversed()
}

async function replayed(file: string) {
  const { lines } = await rig.vigil('replay', '--json', file)
  return lines
    .map((line) => JSON.parse(line))
    .map(({ t, state, rule, session: id }) => ({ t, state, rule, id }))
}

describe('export', () => {
  it.each(NAMES)('[CM1] of %s plays to the history that the daemon gave', async (name) => {
    const id = ids.get(name) ?? ''
    for (const [flag, file] of [
      ['--full', join(folder, `${name}-full.jsonl`)],
      ['--lineage', join(folder, `${name}.jsonl`)],
    ] as const) {
      const { status, stderr } = await rig.vigil('export', id, flag, '-o', file)
      expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringMatching(file) })
      const changes = (await replayed(file)).filter((change) => change.id === id)
      expect(changes.length).toBeGreaterThan(2)
      expect(changes).toEqual(historyOf(id))
    }
  })

  it('[CM1] is a recording that begins with whose it is, in order of time', async () => {
    const { stdout } = await rig.vigil('export', ids.get('bash_approve') ?? '')
    const { lines, bad } = readRecording('export', stdout)
    expect(bad).toEqual([])
    expect(lines[0]).toMatchObject({ source: 'meta', agent: 'claude', version: '2.1.325' })
    const times = stdout.split('\n').flatMap((line) => (line ? JSON.parse(line).t : []))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('[CM1] with --lineage holds a whole conversation; without, says there is more', async () => {
    const old = ids.get('clear') ?? ''
    const listed = rig.engine.sessions({ all: true }).sessions
    const both = listed.filter(({ lineage }) => lineage === old).map(({ id }) => id)
    expect(both).toHaveLength(2)
    const file = join(folder, 'both.jsonl')
    const { stderr } = await rig.vigil('export', old, '--lineage', '-o', file)
    expect(stderr).toMatch(/^vigil: .*both\.jsonl: \d+ reports\n$/)
    const changes = await replayed(file)
    for (const id of both)
      expect(changes.filter((change) => change.id === id)).toEqual(historyOf(id))
    expect((await rig.vigil('export', old)).stderr).toContain('--lineage')
  })

  it('[CM1] holds what vigil said live, and tells when a replay says otherwise', async () => {
    const id = ids.get('bash_approve') ?? ''
    const { lines, stderr } = await rig.vigil('export', id)
    expect(stderr).toBe('')
    const notes = lines.map((line) => JSON.parse(line)).filter(({ source }) => source === 'vigil')
    expect(notes.map(({ t, state, rule, session }) => ({ t, state, rule, id: session }))).toEqual(
      historyOf(id),
    )
    const t = Date.now()
    const payload = { session_id: 'odd', hook_event_name: 'UserPromptSubmit' }
    const verdict = { ...rig.engine.history(id, 1)[0]?.verdict, session: 'odd' } as Verdict
    rig.play([{ t, source: 'hook', payload }])
    const change = {
      id: rig.engine.feed.nextId(),
      t,
      session: 'odd',
      kind: 'verdict',
      verdict,
    } as const
    rig.store.commit({ reports: [], changes: [change], sessions: [], cursors: [], renamed: [] })
    expect((await rig.vigil('export', 'odd')).stderr).toContain(
      'gives other states than vigil showed live',
    )
  })

  it('[CM2] hides what people and tools said unless told to tell it', async () => {
    const id = ids.get('bash_approve') ?? ''
    const told = (await rig.vigil('export', id, '--full')).stdout
    const hidden = (await rig.vigil('export', id)).stdout
    for (const secret of ['touch it', 'touch made', '/lab/project', 'All done']) {
      expect(told).toContain(secret)
      expect(hidden).not.toContain(secret)
    }
    expect(hidden).toContain('[hidden ')
  })

  it('[CM2] hides less where hiding would change a verdict, and says so', async () => {
    const t = Date.now() - 60_000
    const at = (cwd: string) => `/home/ada/.claude/projects/${cwd.replaceAll(/\W/g, '-')}/two.jsonl`
    const hook = (event: string) => ({
      source: 'hook' as const,
      payload: {
        session_id: 'two',
        hook_event_name: event,
        cwd: '/srv/pay-ments',
        transcript_path: at('/srv/pay-ments'),
      },
    })
    // One name for two folders: a process in the other is taken for the session resumed (L4).
    rig.play([
      { t, ...hook('UserPromptSubmit') },
      { t: t + 1000, ...hook('SessionEnd') },
      {
        t: t + 2000,
        source: 'process',
        pid: 71,
        alive: true,
        command: 'claude',
        cwd: '/srv/pay/ments',
      },
    ])
    const { status, stdout, stderr } = await rig.vigil('export', 'two')
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr:
        'vigil: only texts and screens are hidden: vigil needs the rest to reproduce the states\n',
    })
    expect(stdout).toContain('/srv/pay/ments')
  })

  it('[CM3] gives all pages of the log, and what concerns every session', async () => {
    const t = Date.now() - 10_000
    const env = { ppid: 1 }
    const payload = { session_id: 'long', hook_event_name: 'PostToolUse', tool_use_id: 'x' }
    const many = Array.from({ length: 2_345 }, (_, i) => ({
      t: t + i,
      source: 'hook',
      payload,
      env,
    }))
    rig.play(many as never)
    rig.play([{ t: t + 2_345, source: 'process', woke: true }])
    rig.play([{ t: t + 2_346, source: 'hook', payload, env }])
    const { lines } = await rig.vigil('export', 'long')
    const reports = lines.map((line) => JSON.parse(line))
    expect(reports.filter(({ source }) => source === 'hook')).toHaveLength(2_346)
    expect(reports.filter(({ woke }) => woke === true)).toHaveLength(1)
  })

  it('[CM4] writes a file for its user alone and never over another unasked', async () => {
    const file = join(folder, 'once.jsonl')
    const id = ids.get('esc_tool') ?? ''
    await rig.vigil('export', id, '-o', file)
    const first = readFileSync(file, 'utf8')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await rig.vigil('export', id, '--full', '-o', file)
    expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('--force') })
    expect(readFileSync(file, 'utf8')).toBe(first)
    const forced = await rig.vigil('export', id, '--full', '--force', '-o', file)
    expect(forced.status).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toBe(first)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const nowhere = await rig.vigil('export', id, '-o', join(folder, 'none', 'x.jsonl'))
    expect(nowhere).toMatchObject({ status: 2, stderr: expect.stringContaining('ENOENT') })
  })

  it('says which sessions there are when it is none', async () => {
    const { status, stderr } = await rig.vigil('export', 'nobody')
    expect(status).toBe(2)
    expect(stderr).toContain(ids.get('esc_tool'))
  })
})

describe('import', () => {
  it('[CM5] of an export gives the same history under the name of the file', async () => {
    const file = join(folder, 'elsewhere.jsonl')
    const id = ids.get('agent_perm') ?? ''
    await rig.vigil('export', id, '-o', file)
    const { status, stdout } = await rig.vigil('import', file)
    expect({ status, stdout }).toEqual({ status: 0, stdout: `elsewhere/${id}\n` })
    expect(historyOf(id, 'elsewhere/')).toEqual(historyOf(id))
    const why = await rig.vigil('why', `elsewhere/${id}`, '--json')
    expect(JSON.parse(why.stdout).session).toMatchObject({ host: 'elsewhere', live: false })
  })

  it('[CM5] may be given a name, once', async () => {
    const file = join(folder, 'named.jsonl')
    await rig.vigil('export', ids.get('esc_tool') ?? '', '-o', file)
    const { stdout } = await rig.vigil('import', '--name', 'ada', '--json', file)
    expect(JSON.parse(stdout)).toMatchObject({
      file,
      name: 'ada',
      sessions: [expect.stringMatching(/^ada\//)],
    })
    const again = await rig.vigil('import', '--name', 'ada', file)
    expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('--name') })
    const two = await rig.vigil('import', '--name', 'bob', file, file)
    expect(two).toMatchObject({ status: 2, stdout: '' })
    for (const name of ['', 'x'.repeat(101), 'a\nb', 'here'])
      expect((await rig.vigil('import', '--name', name, file)).status, name).toBe(2)
  })

  it('treats bad files as replay does: the good are imported, the exit code tells', async () => {
    const good = join(folder, 'good.jsonl')
    await rig.vigil('export', ids.get('esc_tool') ?? '', '-o', good)
    const bad = join(folder, 'bad.jsonl')
    writeFileSync(bad, 'nothing of the kind\n')
    const { status, stdout, stderr } = await rig.vigil('import', bad, good, join(folder, 'none'))
    expect(status).toBe(2)
    expect(stdout).toMatch(/^good\//)
    expect(stderr).toMatch(/bad\.jsonl: is not a recording[\s\S]*none: no such file/)
  })
})
