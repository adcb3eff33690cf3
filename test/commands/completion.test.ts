import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/app/commands.ts'
import { MODES } from '../../src/core/loop/run.ts'
import { STATES } from '../../src/core/verdict.ts'
import { describeCommands } from '../../src/surfaces/cli/completion-words.ts'
import { run, startEngine, vigilIn } from './support.ts'

const VIGIL = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vigil-completion-'))
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

let rig: Awaited<ReturnType<typeof startEngine>>
const scripts = new Map<string, string>()

beforeAll(async () => {
  rig = await startEngine()
  const t = Date.now()
  const hook = (session_id: string, cwd: string) =>
    ({ t, source: 'hook', payload: { session_id, hook_event_name: 'Stop', cwd } }) as const
  rig.play([
    hook('3f2a-1', '/srv/payments'),
    hook('77b1-2', '/srv/parser'),
    hook('77c1-3', "/srv/it's $(touch bad) here"),
    hook('88a1-4', '/one/twin'),
    hook('88b1-5', '/two/twin'),
  ])
  mkdirSync(join(folder, 'bin'))
  const command = join(folder, 'bin/vigil')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${VIGIL}' "$@"\n`)
  chmodSync(command, 0o755)
  for (const name of ['other.jsonl', 'run one.jsonl']) writeFileSync(join(folder, name), '')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await vigilIn(rig.home, ['completion', shell])
    const path = join(folder, `completion.${shell}`)
    writeFileSync(path, stdout)
    scripts.set(shell, path)
  }
})

afterAll(async () => {
  await rig.close()
  rmSync(folder, { recursive: true, maxRetries: 10 })
})

function env(home = rig.home) {
  const PATH = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`
  return { ...process.env, PATH, VIGIL_HOME: home, HOME: folder }
}

async function asked(shell: string, args: readonly string[], home?: string): Promise<string[]> {
  const { stdout, stderr } = await run(shell, args, { env: env(home), cwd: folder })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

/** What a shell offers when the last of these words is being typed. */
type Offers = (words: readonly string[], home?: string) => Promise<string[]>

const inBash: Offers = (words, home) => {
  const program = `source "$1"; shift; COMP_WORDS=(vigil "$@"); COMP_CWORD=$#
    complete -p vigil | grep -q -- '-F _vigil' || exit 1
    _vigil vigil; printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['--norc', '-c', program, 'bash', scripts.get('bash') ?? '', ...words]
  return asked('bash', args, home)
}

const inFish: Offers = async (words, home) => {
  const line = ['vigil', ...words].join(' ')
  const program = `source '${scripts.get('fish')}'; complete -C '${line}'`
  const lines = await asked('fish', ['--no-config', '-c', program], home)
  return lines.map((offer) => offer.split('\t')[0] ?? '')
}

/** A line is typed into a real zsh; what its completion adds is noted beside. */
const inZsh: Offers = async (words, home) => {
  const noted = join(folder, 'noted')
  rmSync(noted, { force: true })
  const program = `
    zmodload zsh/zpty
    zpty typed zsh -f -i
    zpty -w typed 'PS1=; autoload -Uz compinit; compinit -D -u; source ${scripts.get('zsh')}'
    zpty -w typed 'compadd() { local -a found; builtin compadd -O found "$@"'
    zpty -w typed 'print -rl -- $found >>${noted}; builtin compadd "$@" }'
    zpty -w typed 'done-now() { zle list-choices; : >>${noted}; print end >>${noted}.end }'
    zpty -w typed 'zle -N done-now; bindkey "^T" done-now; print ready'
    while zpty -r typed line; do [[ $line == ready* ]] && break; done
    zpty -w -n typed ${JSON.stringify(['vigil', ...words].join(' '))}$'\\x14'
    for i in {1..500}; do [[ -e ${noted}.end ]] && break; sleep 0.02; done
    zpty -d typed; cat ${noted}; rm -f ${noted}.end`
  return [...new Set(await asked('zsh', ['-f', '-c', program], home))]
}

/** Asks again: a daemon that is too busy to answer at once is not waited for. */
async function told(ask: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    const found = await ask()
    if (found.length > 0 || tries === 20) return found
  }
}

describe('the words', () => {
  it('[CM6] are those that the commands define themselves', async () => {
    const words = await describeCommands(COMMANDS)
    expect(words.map(({ name }) => name)).toEqual(COMMANDS.map(({ name }) => name))
    const wait = words.find(({ name }) => name === 'wait')
    expect(wait).toMatchObject({ argument: { of: 'session' }, typed: ['wai', 'wait'] })
    expect(wait?.options.flatMap(({ flags }) => flags)).toContain('--timeout')
    for (const { options } of words) expect(options.flatMap(({ flags }) => flags)).toContain('-h')
  })

  it('[CM7] --sessions is silent and starts nothing where no daemon runs', async () => {
    const home = join(folder, 'nobody')
    const out = await vigilIn(home, ['completion', '--sessions'])
    expect(out).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readdirSync(home)).not.toContain('run')
  })

  it('[CM7] --sessions gives a name for each, and what begins as told', async () => {
    const sessions = async (flag: string) => (await rig.vigil('completion', flag)).lines
    const lines = await told(() => sessions('--sessions'))
    const names = lines.map((line) => line.split('\t')[0])
    expect(names.toSorted()).toEqual([
      "it's $(touch bad) here",
      'parser',
      'payments',
      'twin',
      'twin 2',
    ])
    const begin = await told(() => sessions('--sessions=77'))
    expect(begin.map((line) => line[2])).toEqual(expect.arrayContaining(['b', 'c']))
  })
})

const SHELLS = [
  ['bash', inBash],
  ['zsh', inZsh],
  ['fish', inFish],
] as const

describe.each(SHELLS.filter(([shell]) => has(shell)))('%s', (_, offers) => {
  it('[CM6] completes commands, options and states', async () => {
    expect((await offers(['wa'])).toSorted()).toEqual(['wait', 'watch'])
    expect(await offers(['wait', 'payments', '--ti'])).toEqual(['--timeout'])
    const states = await offers(['wait', 'payments', '--until', ''])
    expect(states.toSorted()).toEqual(STATES.toSorted())
    const more = await offers(['wait', 'payments', '--until', 'idle,wai'])
    expect(more.map((word) => word.split(',').at(-1))).toEqual(['waiting'])
    expect(await offers(['completion', 'z'])).toEqual(['zsh'])
  })

  it('[CM6] completes a command that was shortened', async () => {
    expect(await offers(['exp', '--li'])).toEqual(['--lineage'])
  })

  it('[CM6] completes commands within a command, and what belongs to them', async () => {
    expect((await offers(['loop', 'st'])).toSorted()).toEqual(['start', 'status', 'stop'])
    expect(await offers(['loop', 'start', '--pa'])).toEqual(['--patience'])
    expect((await offers(['loop', 'start', '--mode', ''])).toSorted()).toEqual(MODES.toSorted())
    expect(await offers(['loop', 'start', '--from', 'oth'])).toEqual(['other.jsonl'])
    expect(await offers(['lo', 'hist', '--js'])).toEqual(['--json'])
    expect(await told(() => offers(['loop', 'stop', 'pay']))).toEqual(['payments'])
    expect(await offers(['loop', 'import', 'oth'])).toEqual(['other.jsonl'])
  })

  it('[CM6] completes what is done to a session, behind its name or without one', async () => {
    expect(await offers(['answer', 'payments', 'al'])).toEqual(['allow'])
    expect((await offers(['answer', 'payments', 'a'])).toSorted()).toEqual(['allow', 'approve'])
    expect(await offers(['answer', 'de'])).toEqual(['deny'])
    expect(await told(() => offers(['answer', 'pay']))).toEqual(['payments'])
    expect((await offers(['typing', 'payments', 'o'])).toSorted()).toEqual(['off', 'on'])
  })

  it('[CM6] completes files and commands where they are meant', async () => {
    expect(await offers(['replay', 'oth'])).toEqual(['other.jsonl'])
    expect(await offers(['run', '--', 'mkf'])).toContain('mkfifo')
  })

  it('[CM7] completes sessions by name and id, and runs nothing they are called', async () => {
    const both = expect.arrayContaining(['parser', 'payments'])
    expect(await told(() => offers(['why', 'pa']))).toEqual(both)
    expect(await told(() => offers(['why', '3f']))).toEqual(['3f2a-1'])
    await offers(['why', 'it'])
    expect(readdirSync(folder)).not.toContain('bad')
    expect(await offers(['why', 'pa'], join(folder, 'nobody'))).toEqual([])
  })
})

describe('bash', () => {
  it('[CM7] takes --until=idle for one word, and quotes what it offers', async () => {
    expect(await inBash(['wait', 'x', '--until', '=', 'id'])).toEqual(['idle'])
    expect(await told(() => inBash(['why', 'it']))).toEqual([
      "it\\'s\\ \\$\\(touch\\ bad\\)\\ here",
    ])
  })
})
