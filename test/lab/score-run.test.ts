import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const LAB = fileURLToPath(new URL('../../lab/run.ts', import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'vigil-lab-out-'))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function lab(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const options = { env: { ...process.env, CI_CLIENTS: '', ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, [LAB, ...args], options, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

/** One value a line. */
const parsed = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

afterAll(() => rmSync(out, { recursive: true, maxRetries: 10 }))

describe('npm run lab', () => {
  it('plays a conversation with the daemon watching, and reports', async () => {
    const { code, stdout, stderr } = await lab(['bash_approve', '--live', '--json', '--out', out])
    expect(stderr).toMatch(/^ *1\/1 bash_approve {2}\d+\.\d s {2}core /)
    expect(stderr).toContain(`page: ${join(out, 'index.html')}`)
    const [run, sum] = parsed(stdout)
    expect(run).toMatchObject({
      ...{ run: 'bash_approve', truthFrom: 'registry' },
      core: { finalRight: true },
      live: { finalRight: true, missed: 0 },
    })
    expect(sum).toMatchObject({ sum: { runs: 1, failed: 0 } })
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<span>live</span>')
    for (const file of ['bash_approve.jsonl', 'results.json'])
      expect(existsSync(join(out, file)), file).toBe(true)
    expect(code).toBe(0)
  })

  it('kills the daemon in the middle, and finds it right when it is back', async () => {
    const folder = join(out, 'killed')
    const args = ['hello', '--live', '--restart', '--json', '--out', folder]
    const { code, stdout } = await lab(args)
    const [run] = parsed(stdout)
    const live = { finalRight: true, final: 'closed/closed', missed: 0 }
    expect(run).toMatchObject({ run: 'hello', core: { finalRight: true }, live, ghosts: [] })
    const said = parsed(readFileSync(join(folder, 'hello.jsonl'), 'utf8')).filter(
      ({ source }) => source === 'vigil',
    )
    const events = said.flatMap(({ event }) => event ?? [])
    expect(events).toEqual(['killed', 'returned', 'stopped'])
    // A hook may start it before the lab does, so only the answers tell how long it was away.
    const away = said.findIndex(({ sessions }) => sessions === null)
    const statesIn = (lines: typeof said) =>
      lines.flatMap(({ sessions }) => sessions?.[0]?.state ?? [])
    expect(statesIn(said.slice(0, away))).toContain('idle')
    expect(statesIn(said.slice(away)).at(-1)).toBe('closed')
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('class="away"')
    expect(code).toBe(0)
  })
})

describe('npm run lab, without a client', () => {
  it('says what is missing and is skipped', async () => {
    const { code, stdout, stderr } = await lab(['--claude', '9.9.9'])
    const tried = 'client 9.9.9: installing …\n'
    expect(stderr.slice(0, tried.length)).toBe(tried)
    expect(stderr.slice(tried.length)).toMatch(/^the lab is skipped: client 9\.9\.9: npm could not/)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  })

  it('fails where it must not be skipped', async () => {
    const { code } = await lab(['--claude', '9.9.9'], { CI_CLIENTS: '1' })
    expect(code).toBe(1)
  })

  it.each([
    [['nope'], 'no conversation is called nope'],
    [['--restart'], '--restart is about the daemon: add --live'],
    [['--no-hooks'], '--no-hooks is about the daemon: add --live'],
    [['--record', '--live'], '--record and --live do not go together'],
    [['--times', '0'], '--times 0: expected a whole number from 1 on'],
    [['--from', '/nowhere'], '/nowhere: there is no recording in it'],
    [['--what'], "unknown option '--what'"],
  ])('refuses %j', async (args, words) => {
    const { code, stderr } = await lab(args)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })

  it('measures recordings again, and holds them to the gate', async () => {
    const folder = fileURLToPath(new URL('../recordings/', import.meta.url))
    const { code, stdout, stderr } = await lab([
      '--from',
      folder,
      '--out',
      join(out, 'b'),
      '--gate',
    ])
    expect(stdout).toMatch(/^core, all sources +\d+\.\d\d/m)
    expect(stderr).not.toContain('gate:')
    expect(code).toBe(0)
  })

  it('lists what there is', async () => {
    const { stdout } = await lab(['--list'])
    expect(stdout).toMatch(/^bash_approve +A command asks for permission and is allowed/m)
  })
})
