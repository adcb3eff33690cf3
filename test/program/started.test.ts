import { describe, expect, it } from 'vitest'
import { filesOf } from '../support/files.ts'

const CALL = String.raw`\b(?:spawn|spawnSync|execFile|execFileSync|execSync|fork|runGroup)\(\s*`
const BARE = new RegExp(`${CALL}['"\`](?!/)`)
const VARIABLE = new RegExp(`${CALL}(?!pathTo\\b|process\\.execPath\\b)[a-z]`)
const MODULE = /from ['"](node:)?child_process['"]|getBuiltinModule\('node:child_process'\)/

/** Files that start a program whose path comes from elsewhere, with where from. */
const STARTERS: Readonly<Record<string, string>> = {
  'src/daemon/panes/pane-access.ts': 'its caller has it from pathTo',
  'src/client/start-service.ts': 'systemctl, from findProgram',
  'src/fleet/nats/server-process.ts': 'its caller has it from findProgram',
  'src/install/client.ts': 'the agent itself, by its whole path',
  'src/surfaces/cli/doctor/round-trip.ts': 'the hook script that vigil wrote',
  'src/surfaces/cli/open-browser.ts': 'its caller has it from findProgram',
  'src/surfaces/cli/run.ts': 'the agent that the user names',
  'src/surfaces/cli/statusline-pass.ts': 'the status line command of the user',
  'src/surfaces/cli/take-up.ts': 'the agent, in the PATH of the user’s shell',
  'src/surfaces/loop/run-group.ts': 'its callers are checked here',
}

/** Without comments, whose words start nothing. */
const source = filesOf('src/**/*.{ts,tsx}')
  .filter(({ path }) => !path.endsWith('.test.ts'))
  .map(({ path, text }) => ({ path, text: text.replaceAll(/^ *(\/?\*|\/\/).*$/gm, '') }))

describe('[PF5] a program that vigil starts', () => {
  it('is never given by a bare name, which PATH would decide about', () => {
    expect(source.filter(({ text }) => BARE.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('comes from elsewhere only in files whose reason is known', () => {
    const starts = source.filter(({ text }) => MODULE.test(text) && VARIABLE.test(text))
    expect(starts.map(({ path }) => path).toSorted()).toEqual(Object.keys(STARTERS).toSorted())
  })

  it('is git in one file alone', () => {
    const callers = source.filter(({ text }) =>
      /pathTo\(\s*['"`]git['"`]|['"`/]git['"`],/.test(text),
    )
    const [one, ...others] = callers.map(({ path }) => path)
    expect([one, others.filter((path) => !path.endsWith('doctor/programs.ts'))]).toEqual([
      'src/surfaces/cli/doctor/programs.ts',
      ['src/surfaces/loop/git.ts'],
    ])
  })

  it('is looked for by scripts where the install found it safe, not in the agent’s PATH', () => {
    const scripts = filesOf('{hook,plugin/scripts}/*')
    expect(scripts.length).toBeGreaterThan(4)
    const paths = scripts.flatMap(({ text }) => text.match(/\bPATH=\S*/g) ?? [])
    expect([...new Set(paths)].toSorted()).toEqual(
      [
        // Of the agent's own work: the check of a loop.
        'PATH=$given_path',
        'PATH="$path"',
        'PATH=/usr/bin:/bin:$path',
        'PATH=/usr/bin:/bin:$vigil_path',
      ].toSorted(),
    )
  })

  it('is seen by the check itself', () => {
    for (const call of ["spawn('tmux', [])", 'execFileSync(`ps`, args)', "runGroup(\n  'sh',"])
      expect(BARE.test(call)).toBe(true)
    for (const call of ["spawn(pathTo('tmux'), [])", "spawn('/bin/sh', [])"])
      expect([BARE.test(call), VARIABLE.test(call)]).toEqual([false, false])
    expect(VARIABLE.test('spawn(program, [])')).toBe(true)
  })
})
