import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { hold, say, script, tool } from '../../lab/model/script.ts'
import { connect } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { DONE, LoopStage, TASK, turns } from './on-stage.ts'

let on: LoopStage

afterEach(async () => {
  await on?.end()
})

const ALLOWED = ['--allowedTools', 'Bash']

async function signalDaemon(signal: NodeJS.Signals): Promise<number> {
  const folders = foldersOf({ VIGIL_HOME: join(on.stage.place.root, 'vigil') })
  const { pid } = await connect(folders).health()
  process.kill(pid, signal)
  return pid
}

describe('a loop of the real client', () => {
  it('[LP70] outlives a daemon that is killed in the middle of a turn', async () => {
    const slow = [say('Running.'), tool('Bash', { command: 'sleep 4' })]
    const replies = [[say('One.')], slow, [say('Slept.')], [say(`Done.\n\n${DONE}`)]]
    on = await LoopStage.open(turns('daemon', ...replies))
    const { client, session } = await on.claude(ALLOWED)
    await on.start(session, '--max', '9')
    await client.pane.sees(/Running\./)
    await signalDaemon('SIGKILL')
    const ended = await on.ended(session)
    expect(ended).toMatchObject({ reason: 'COMPLETE', iteration: 2 })
  })

  it('[LP80] lets its agent stop while the daemon hangs, and takes it up again', async () => {
    const replies = [[say('One.')], [say('A long one.'), hold()]]
    const talked = turns('away', ...replies).on(/^\[ITERATION/, say(`Done.\n\n${DONE}`))
    on = await LoopStage.open(talked)
    const { client, session } = await on.claude()
    await on.start(session, '--max', '9')
    await client.pane.sees(/A long one/)
    await on.becomes(session, ({ iteration }) => iteration === 1)
    const pid = await signalDaemon('SIGSTOP')
    on.stage.model.release('hold')
    // The client's own word, when its turn is over.
    await client.pane.sees(/^✻ \S+ for \d+s/m, { withinMs: 20_000 })
    process.kill(pid, 'SIGCONT')
    const ended = await on.ended(session)
    expect(ended).toMatchObject({ reason: 'COMPLETE', iteration: 2 })
    expect((await on.steps(session)).some(({ kind }) => kind === 'said')).toBe(true)
  })

  it('[LP76] is there when its agent was killed and its session is resumed', async () => {
    const replies = [[say('One.')], [say('A long one. '.repeat(20), { overMs: 9_000 })]]
    const talked = turns('killed', ...replies)
    on = await LoopStage.open(
      talked.on('where were we', say('Here.')).next(say(`Done.\n\n${DONE}`)),
    )
    const { client, session } = await on.claude()
    await on.start(session, '--max', '9')
    await client.pane.sees(/A long one/)
    client.pane.signal('SIGKILL')
    await on.vigil.says({ id: session }, { state: 'closed' })
    const again = await on.stage.claude(['--resume', session])
    await on.vigil.says({ pid: again.pane.pid }, { state: 'idle' })
    await again.submit('where were we')
    const ended = await on.ended(session)
    expect(ended).toMatchObject({ reason: 'COMPLETE', iteration: 2 })
  })

  it('[LP79] is parked by an error, and says until when', async () => {
    const talked = turns('error', [say('One.')]).next({
      kind: 'fail',
      failure: { status: 400, headers: {}, message: 'no' },
    })
    on = await LoopStage.open(talked)
    const { session } = await on.claude()
    await on.start(session)
    const { hold } = await on.becomes(session, (loop) => loop.hold !== null)
    expect(hold?.kind).toBe('parked')
    expect(hold?.until).toBeGreaterThan(Date.now())
  })
})

describe('a loop with an end of its own', () => {
  it('[LP12] is done when its command says so, and hears why not', async () => {
    const write = (value: number) => tool('Bash', { command: `echo ${value} > value` })
    const said = (value: number) => [say(`It is ${value} now.\n\n${DONE}`)]
    const tries = [1, 2, 3].flatMap((value) => [[say('Trying.'), write(value)], said(value)])
    on = await LoopStage.open(turns('until', ...tries))
    const { project } = on.stage.place
    const check = "process.exit(+require('fs').readFileSync('value','utf8') === 3 ? 0 : 1)"
    const test = `echo expected three && node -e "${check}"`
    writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { test } }))
    const { session } = await on.claude(ALLOWED)
    await on.start(session, '--until', 'npm test', '--max', '9')
    const ended = await on.ended(session, { withinMs: 60_000 })
    expect(ended).toMatchObject({ reason: 'COMPLETE', iteration: 2 })
    const heard = on.stage.model.requests.map(({ body }) => JSON.stringify(body))
    expect(heard.some((body) => body.includes('expected three'))).toBe(true)
  })

  it('[LP20] grinds through a checklist of five, one item after another', async () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'omega']
    const tick = (name: string) => `sed -i 's/\\[ \\] ${name}/[x] ${name}/' TASKS.md`
    const grind = names.reduce(
      (all, name) =>
        all
          .on(new RegExp(`Item [^\\n]*${name}`), tool('Bash', { command: tick(name) }))
          .next(say(`${name} is done.\n\n<issue-complete>DONE</issue-complete>`)),
      script('grind'),
    )
    on = await LoopStage.open(grind.on(TASK, say('Ready.')))
    const list = join(on.stage.place.project, 'TASKS.md')
    writeFileSync(list, `# Tasks\n\n${names.map((name) => `- [ ] ${name}\n`).join('')}`)
    const { session } = await on.claude(ALLOWED)
    await on.start(session, '--mode', 'grind', '--from', 'TASKS.md')
    const ended = await on.ended(session, { withinMs: 90_000 })
    expect(ended).toMatchObject({ reason: 'NO_MORE_ISSUES' })
    expect(readFileSync(list, 'utf8')).not.toContain('[ ]')
    const heard = JSON.stringify(on.stage.model.requests.at(-1)?.body)
    for (const name of names) expect(heard).toContain(name)
  })
})
