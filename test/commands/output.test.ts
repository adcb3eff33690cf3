import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { actingIn, asFileName, HOSTILE, hostileReports, SESSIONS, SPELLS } from './hostile-names.ts'
import { startEngine, vigilIn } from './support.ts'

const VIGIL = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))
const SOCKET_NAME = 'main\u001b[31m\u009b31m\u061c\u202e\nFORGED'

let rig: Awaited<ReturnType<typeof startEngine>>
let tmux: PrivateTmux
let socket = ''
const folder = mkdtempSync(join(tmpdir(), 'vigil-output-'))

beforeAll(async () => {
  rig = await startEngine()
  tmux = new PrivateTmux()
  socket = tmux.socket(SOCKET_NAME)
  if (!NO_TMUX) tmux.session('name\u061c\u202egnp', 3, socket)
  rig.play(hostileReports(Date.now() - 60_000, socket), 59_000)
  mkdirSync(join(folder, 'user'))
})

afterAll(async () => {
  await rig.close()
  await tmux.end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

function vigil(args: readonly string[], input = '') {
  const env = { HOME: join(folder, 'user'), TMUX_TMPDIR: tmux.tmpdir, TMUX: undefined }
  return vigilIn(rig.home, args, { env: { ...env, CLAUDE_CONFIG_DIR: undefined }, input })
}

/** Asked for in passing: it waits five seconds for its own report, which no source brings here. */
let doctor: Promise<string[]>
beforeAll(() => {
  doctor = Promise.all([saidBy(['doctor', '--json']), saidBy(['doctor'])])
})

/** What a command says, and that nothing in it acts; JSON is JSON all the same. */
async function saidBy(args: readonly string[], input = ''): Promise<string> {
  const { stdout, stderr } = await vigil(args, input)
  // Lines of CSV end with both.
  expect(actingIn(stdout.replaceAll('\r\n', '\n')), `stdout of ${args[0]}`).toBeUndefined()
  expect(actingIn(stderr), `stderr of ${args[0]}`).toBeUndefined()
  if (args.includes('--json') && stdout.trimStart().startsWith('[')) JSON.parse(stdout)
  return `${stdout}${stderr}`
}

const JUMPS = ['next', 'jump idle', 'jump asks', 'jump gone']
const SHOWS = [
  ...[
    'status',
    'status --all',
    'why asks',
    'why fails',
    'why idle',
    'wait asks --until waiting --timeout 2',
  ],
  ...['answer', 'answer asks', 'answer asks allow', 'answers status', 'answers log', 'loop status'],
  ...['insight', 'insight --week', 'open --list', 'share list', 'notify status', 'tmux status'],
  ...['typing asks', 'say asks hello', 'interrupt idle', 'export asks', 'export asks --full'],
  ...['jump idle --client x', 'uninstall --dry-run', 'loop history', 'loop stop asks'],
]
const PLAIN_ONLY = ['insight --csv projects', 'insight --csv waits', 'completion --sessions']

describe('what commands print', () => {
  it.each([...SHOWS, ...PLAIN_ONLY])('[OS3] holds nothing that acts: vigil %s', async (words) => {
    await saidBy(words.split(' '))
  })

  it.each(SHOWS)('[OS2] nor does its JSON: vigil %s --json', async (words) => {
    await saidBy([...words.split(' '), '--json'])
  })

  it('[OS2] JSON is the same when it is parsed', async () => {
    const { stdout } = await vigil(['status', '--json'])
    const titles = JSON.parse(stdout).map(({ title }: { title: string }) => title)
    expect(titles).toContain(`${HOSTILE}asks`)
    expect(stdout).toContain('\\u009b31m')
    expect(stdout).toContain('\\u061c')
  })

  it('[OS2][OS3] doctor', async () => {
    await doctor
  })

  it.each([[], ['--json']])('[OS3] watch shows each change harmlessly %s', async (...json) => {
    const args = [VIGIL, 'watch', ...json]
    const child = spawn(process.execPath, args, { env: { ...process.env, VIGIL_HOME: rig.home } })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
    })
    await until('all are shown', () => said.split('\n').length > SESSIONS.length)
    child.kill()
    expect(actingIn(said)).toBeUndefined()
  })

  it('[OS3] recordings are read, replayed and scored harmlessly', async () => {
    const file = join(folder, `r${asFileName(HOSTILE)}.jsonl`)
    const reports = hostileReports(1_000, socket).map((report) => JSON.stringify(report))
    writeFileSync(file, `${reports.join('\n')}\n{"torn`)
    for (const command of ['replay', 'score', 'import']) await saidBy([command, file])
    for (const command of ['replay', 'score']) await saidBy([command, '--json', file])
  })

  it('[OS3] so is the status line of a model of any name', async () => {
    const payload = { session_id: 'asks', model: { display_name: HOSTILE } }
    expect(await saidBy(['statusline'], JSON.stringify(payload))).toContain('x')
  })
})

describeUnless(NO_TMUX)('names of tmux', () => {
  it.each(JUMPS)('[OS3] names of tmux do not act: vigil %s', async (words) => {
    expect(await saidBy(words.split(' '))).toContain('main<U+001B>[31m<U+009B>31m<U+061C>')
  })

  it('[OS2][OS3] doctor names the server of tmux harmlessly', async () => {
    const [json, words] = await doctor
    expect(json).toContain('main\\u001b[31m\\u009b31m\\u061c\\u202e')
    expect(words).toContain('<U+061C><U+202E><U+000A>FORGED-gone, where')
  })
})

const REPEATING: readonly ((word: string) => string[])[] = [
  (word) => [word],
  (word) => ['status', `--${word}`],
  (word) => ['why', word],
  (word) => ['jump', word],
  (word) => ['wait', 'asks', '--until', word],
  (word) => ['loop', 'status', word],
  (word) => ['loop', word],
  (word) => ['open', '--forget', word],
  (word) => ['share', 'add', word],
  (word) => ['insight', '--zone', word],
  (word) => ['replay', word],
  (word) => ['run', '--', word],
  (word) => ['statusline', '--', word],
  (word) => ['typing', 'asks', word],
  (word) => ['completion', word],
  (word) => ['daemon', '--port', word],
]

describe('an error', () => {
  it('[OS3] that repeats what was typed holds nothing that acts', async () => {
    const spell = fc.constantFrom(...SPELLS.filter((one) => !one.includes('\u0000')))
    const word = fc
      .array(spell, { minLength: 1, maxLength: 4 })
      .map((parts) => `w${parts.join('')}`)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...REPEATING), word, async (command, typed) => {
        expect(await saidBy(command(typed))).not.toBe('')
      }),
      { numRuns: 40 },
    )
  })
})
