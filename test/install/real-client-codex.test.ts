import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { until } from '../../lab/until.ts'
import type { CheckFinding } from '../../src/agents/finding.ts'
import { CodexStage, NO_CODEX } from '../support/codex/stage.ts'
import { describeUnless } from '../support/needs.ts'

let on: CodexStage

afterEach(async () => {
  await on?.vigil('stop').catch(() => {})
  await on?.end()
})

/** What doctor says, by its own list of checks. */
async function doctor(about: string): Promise<CheckFinding | undefined> {
  const said = JSON.parse((await on.run(on.command('doctor', '--json'))).stdout)
  const found: CheckFinding[] = said.findings
  return found.find((one) => one.about === about && /codex|thread/i.test(one.what))
}

const THEIRS = '{ "type": "command", "command": "true" }'

/** Files as people have them: what config.toml has besides the lab's own, and hooks.json. */
const FILES: [string, string, string?][] = [
  ['no hooks, no end of the last line', '[tui]\n# the bell\nanimations = true # why'],
  ['hooks of others', '', `{\n  "hooks": { "Stop": [ { "hooks": [ ${THEIRS} ] } ] }\n}`],
  ['line ends of Windows', '[tui]\r\nanimations = true\r\n', '{\r\n  "hooks": {}\r\n}\r\n'],
  [
    'hooks and marks of others in config.toml',
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n' +
      '[hooks.state."/x/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:0" # a\n',
    `{"hooks":{"Stop":[{"hooks":[${THEIRS},${THEIRS}]}],"PreToolUse":[]},"description":"x"}`,
  ],
  ['dotted keys', '[hooks]\nstate."/x/hooks.json:stop:0:0".trusted_hash = "sha256:0"\n'],
]

describeUnless(NO_CODEX)('the real Codex', () => {
  it('[CX56] trusts each hook that install writes, and gets its files back', async () => {
    on = await CodexStage.open([])
    const base = on.read('config.toml')
    const hooks = join(on.home, 'hooks.json')
    const dots = join(on.place.root, 'dots')
    mkdirSync(dots)
    for (const [name, config, given] of FILES) {
      writeFileSync(join(on.home, 'config.toml'), `${base}${config}`)
      // One of them is a link, as people who keep their files in a repository have it.
      if (given !== undefined) {
        writeFileSync(join(dots, 'hooks.json'), given)
        symlinkSync(join(dots, 'hooks.json'), hooks)
      }
      await on.vigil('install')
      expect(await doctor('hooks'), name).toMatchObject({
        level: 'ok',
        figures: { missing: [], untrusted: [], off: [], asked: true },
      })
      await on.vigil('uninstall')
      expect(on.read('config.toml'), name).toBe(`${base}${config}`)
      expect(existsSync(hooks), name).toBe(given !== undefined)
      if (given === undefined) continue
      expect(readFileSync(hooks, 'utf8'), name).toBe(given)
      await on.run(['rm', hooks])
    }
  })

  it('[CX54] has the hooks in threads that it loads from then on, by doctor’s count', async () => {
    on = await CodexStage.open([{ text: 'One.' }])
    const pane = await on.codex()
    await on.submit(pane, 'hello there')
    await pane.sees(/One\./)
    await on.vigil('install')
    const early = await doctor('threads')
    expect(early).toMatchObject({ level: 'warning', figures: { loaded: 1 } })
    expect(early?.what).toMatch(/^1 of 1 loaded threads do not have vigil’s hooks yet/)
    const [again = ''] = early?.notes ?? []
    await on.submit(pane, '/exit')
    await pane.ended()
    expect((await on.run(['codex', 'app-server', 'daemon', 'restart'])).code).toBe(0)
    const resumed = await on.openPane(['sh', '-c', `exec ${again}`])
    await resumed.sees(/One\./, { withinMs: 60_000 })
    await until('the hooks', async () => (await doctor('threads'))?.level === 'ok')
  })

  it('[CX57] draws its dialog while the hook of the permission request still runs', async () => {
    on = await CodexStage.open([{ text: 'Asking.', command: 'touch made', asks: true }])
    await on.vigil('install')
    const script = join(on.place.root, 'vigil/hooks/vigil-hook-codex')
    const [first = '', ...rest] = readFileSync(script, 'utf8').split('\n')
    const hold = `echo $$ > '${on.place.root}/held.'$$; sleep 2.5; rm '${on.place.root}/held.'$$`
    writeFileSync(script, [first, hold, ...rest].join('\n'))
    const pane = await on.codex()
    await on.submit(pane, 'make it')
    await pane.sees(/Would you like to run/)
    const { stdout } = await on.run(['sh', '-c', `ls '${on.place.root}' | grep -c held`])
    expect(Number(stdout)).toBeGreaterThan(0)
  })

  it.each([
    ['exec', ['exec', 'hello there']],
    ['--no-daemon', ['--no-daemon', 'hello there']],
  ])('[CX27] has the hooks of vigil run in %s, without an installation', async (_, args) => {
    on = await CodexStage.open([{ text: 'One.' }])
    await on.vigil('status')
    await on.openPane(on.command('run', '--', 'codex', ...args))
    const { id } = await on.says({ reply: 'One.' })
    const events = async () => (await on.vigil('export', id)).match(/"hook_event_name":"\w+"/g)
    const all = await until('the Stop', async () => {
      const found = await events()
      return found?.some((event) => event.includes('Stop')) ? found : undefined
    })
    expect(all.join()).toMatch(/SessionStart/)
    expect(existsSync(join(on.home, 'hooks.json'))).toBe(false)
  })

  it('[CX27] says in one line what a run in the daemon does not have', async () => {
    on = await CodexStage.open([{ text: 'One.' }])
    const line = [...on.command('run', '--', 'codex'), '2>', `${on.place.root}/said`].join(' ')
    const pane = await on.openPane(['sh', '-c', line])
    await pane.sees(/Ask Codex to do anything/, { withinMs: 60_000 })
    const said = readFileSync(`${on.place.root}/said`, 'utf8').split('\n')
    expect(said.filter((words) => words.startsWith('vigil'))).toEqual([
      expect.stringMatching(/no hooks for one run.*vigil install/),
    ])
  })
})
