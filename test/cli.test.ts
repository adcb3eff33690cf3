import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VIGIL = join(ROOT, 'bin/vigil.js')
const RUN = recording('bash_approve')
const OTHER = recording('hello')
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'vigil-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

function recording(name: string): string {
  return join(ROOT, 'test/recordings', `${name}.jsonl`)
}

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** What comes out of a command: text, lines of text, and how it ended. */
function start(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: folder })
  const lines = (text: string) => text.split('\n').slice(0, -1)
  return { status, stdout, stderr, lines: lines(stdout), complaints: lines(stderr) }
}

function vigil(...args: string[]) {
  return start(process.execPath, [VIGIL, ...args])
}

interface Row {
  readonly t: number
  readonly state: string
  readonly [field: string]: unknown
}

function rowsOf({ lines }: { lines: readonly string[] }): Row[] {
  return lines.map((line) => JSON.parse(line))
}

describe('replay --json', () => {
  const out = vigil('replay', '--json', RUN)
  const rows = rowsOf(out)

  it('prints a JSON object a line for every change, in the order of time', () => {
    expect(out).toMatchObject({ status: 0, stderr: '' })
    expect(rows.length).toBeGreaterThan(4)
    expect(rows.map(({ t }) => t)).toEqual(rows.map(({ t }) => t).toSorted((a, b) => a - b))
  })

  it('says in each what scripts need', () => {
    for (const row of rows) {
      expect(row).toMatchObject({ t: expect.any(Number), since: expect.any(Number) })
      for (const field of ['session', 'state', 'rule', 'reason'])
        expect(row[field], field).toMatch(/./)
      expect(row.unread).toBeTypeOf('boolean')
      expect(row).not.toHaveProperty('file')
      expect(row.for !== undefined, row.state).toBe(row.state === 'waiting')
    }
    expect(rows.find(({ state }) => state === 'waiting')?.for).toBe('permission')
  })

  it('names the file where there are several', () => {
    const both = rowsOf(vigil('replay', '--json', RUN, OTHER))
    expect(new Set(both.map((row) => row.file))).toEqual(new Set([RUN, OTHER]))
  })
})

describe('replay', () => {
  it('prints a heading and a row a change, with its reason', () => {
    const { status, lines } = vigil('replay', RUN)
    expect(status).toBe(0)
    expect(lines[0]).toMatch(/^bash_approve · \d+ lines, \d+\.\d s · client \d/)
    expect(lines.slice(1)).toHaveLength(rowsOf(vigil('replay', '--json', RUN)).length)
    expect(lines.some((line) => /waiting for permission .* W\d+ +\w/.test(line))).toBe(true)
  })

  it('--without leaves sources out', () => {
    const rows = rowsOf(vigil('replay', '--json', '--without', 'registry, screen', RUN))
    expect(rows.some(({ rule }) => String(rule).startsWith('R'))).toBe(false)
    expect(rowsOf(vigil('replay', '--json', '--without', 'hook', RUN))).not.toEqual(rows)
  })

  it('--tail goes on that long past the last line', () => {
    const payload = { session_id: 's', hook_event_name: 'UserPromptSubmit' }
    const line = JSON.stringify({ t: 1000, source: 'hook', payload })
    const prompt = file('prompt.jsonl', `${line}\n`)
    const states = (tail: string) =>
      rowsOf(vigil('replay', '--json', '--tail', tail, prompt)).map(({ state }) => state)
    expect(states('0')).toEqual(['working'])
    expect(states('5')).toEqual(['working'])
    expect(states('121')).toEqual(['working', 'stuck'])
  })

  it.each(['-1', 'soon', '', 'Infinity'])('--tail=%s is refused', (tail) => {
    const { status, stdout, complaints } = vigil('replay', `--tail=${tail}`, RUN)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(complaints[0]).toContain('--tail')
  })

  it('lets no escape sequence of an agent through', () => {
    const told = (t: number, event: string, more: object) => ({
      ...{ t, source: 'hook' },
      payload: { session_id: 's\u001b[2J', hook_event_name: event, ...more },
    })
    const tool = { tool_name: 'Dig\u001b[2J', tool_input: { command: '\u001b[2J' } }
    const lines = [
      told(1000, 'PreToolUse', { ...tool, tool_use_id: '1' }),
      told(2000, 'PermissionRequest', tool),
      told(3000, 'StopFailure', { error: 'boom\u001b[2J' }),
    ]
    const nasty = file('nasty.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { stdout } = vigil('replay', nasty)
    expect(stdout).toMatch(/working: Dig.*error: boom/s)
    expect(stdout).not.toContain('\u001b')
  })
})

describe('score', () => {
  it('prints a row a run and a sum', () => {
    const { status, stderr, lines } = vigil('score', RUN, OTHER)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(lines[0]).toMatch(/^run +right % +kind % +final +longest wrong$/)
    expect(lines[1]).toMatch(/^bash_approve +100\.00 +100\.0 +right +none$/)
    expect(lines[2]).toMatch(/^hello +100\.00/)
    expect(lines.at(-2)).toContain('final state right in 2 of 2')
  })

  it('--json prints an object a run and one for the sum', () => {
    const [one, two, last] = rowsOf(vigil('score', '--json', RUN, OTHER))
    expect(one).toMatchObject({ file: 'bash_approve', rightPercent: 100, finalRight: true })
    expect(two).toMatchObject({ file: 'hello' })
    expect(last).toMatchObject({ sum: { runs: 2, finalRight: 2, rightPercent: 100 } })
  })

  it('--without measures what is lost', () => {
    const args = ['score', '--json', '--without', 'registry,screen', recording('esc_think')]
    expect(rowsOf(vigil(...args))[0]).toMatchObject({ finalRight: false })
  })

  it('says which file has no truth to measure by', () => {
    const { complaints } = vigil('score', file('untold.jsonl', '{"t":1,"source":"hook"}\n'))
    expect(complaints).toEqual([expect.stringContaining('untold.jsonl: cannot be measured')])
  })
})

describe.each(['replay', 'score'])('%s of a file in trouble', (command) => {
  const whole = readFileSync(OTHER, 'utf8')
  const torn = file(`${command}-torn.jsonl`, whole.slice(0, -20))
  const trouble: [string, string, RegExp][] = [
    ['missing', join(folder, 'nowhere.jsonl'), /no such file/],
    ['empty', file(`${command}-empty.jsonl`, ''), /is empty/],
    ['torn', torn, /is incomplete/],
    ['no recording', join(ROOT, 'package.json'), /not a recording/],
    ['a directory', folder, /cannot be read/],
  ]

  it.each(trouble)('%s: one line names it, exit code 2, the others are played', (_, path, why) => {
    const { status, lines, complaints } = vigil(command, '--json', path, RUN)
    expect(status).toBe(2)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain(path)
    expect(complaints[0]).toMatch(why)
    expect(lines.some((line) => line.includes('bash_approve') || line.includes('waiting'))).toBe(
      true,
    )
  })

  it('plays what came before the tear', () => {
    expect(vigil(command, torn).stdout).toContain('torn')
  })

  it('only counts lines in the middle that cannot be read', () => {
    const scratched = file(`${command}-bad.jsonl`, `nonsense\n${whole}{}\n`)
    const { status, complaints } = vigil(command, scratched)
    expect(status).toBe(0)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toMatch(/-bad\.jsonl: 2 lines .*first is 1\b/)
  })

  it('refuses a source that does not exist, and names those that do', () => {
    const { status, stdout, complaints } = vigil(command, '--without', 'telepathy', RUN)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(complaints).toHaveLength(1)
    for (const word of ['telepathy', 'process', 'registry', 'hook', 'transcript', 'screen'])
      expect(complaints[0]).toContain(word)
  })
})

describe('vigil', () => {
  it('refuses a command that does not exist', () => {
    const { status, stdout, stderr } = vigil('dance')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('dance')
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it.each(['--help', 'replay --help'])('%s helps, with examples', (args) => {
    const { status, stdout, stderr } = vigil(...args.split(' '))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/examples?:/i)
  })

  it('knows its version', () => {
    expect(vigil('--version')).toMatchObject({ status: 0, stdout: `${MANIFEST.version}\n` })
  })

  it('paints only on a terminal', () => {
    for (const args of [['replay', RUN], ['score', RUN], ['demo'], ['--help']])
      expect(vigil(...args).stdout, args.join(' ')).not.toContain('\u001b')
  })

  it('says nothing when its reader has read enough', () => {
    const all = `"$0" "$1" replay --json "$2"/*.jsonl | head -1`
    const args = ['-c', all, process.execPath, VIGIL, join(ROOT, 'test/recordings')]
    const { lines, stderr } = start('sh', args)
    expect(rowsOf({ lines })).toHaveLength(1)
    expect(stderr).toBe('')
  })

  it('demo prints its first picture and ends without a terminal', () => {
    const { status, stderr, lines } = vigil('demo')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(lines[0]).toMatch(/^vigil +◆ \d+ waiting .*✗ \d+ .*► \d+ .*✓ \d+ .*· \d+ closed$/)
    expect(lines.slice(2)).toHaveLength(12)
  })
})
