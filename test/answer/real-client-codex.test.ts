import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import type { Pane } from '../../lab/drive/pane.ts'
import { until } from '../../lab/until.ts'
import type { OpenRequest } from '../../src/protocol/request.ts'
import type { Said } from '../support/codex/model.ts'
import { CodexStage, NO_CODEX } from '../support/codex/stage.ts'
import { describeUnless } from '../support/needs.ts'

const PERMISSION = /Would you like to (run|make)/
const TOUCH: Said = { text: 'Now.', command: 'touch made', asks: true }
const TOOL_SERVER = fileURLToPath(
  new URL('../../lab/codex/scripts/tool-server.mjs', import.meta.url),
)
const PATCH = '*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch\n'
const QUESTION = {
  ...{ id: 'colour', header: 'Colour', question: 'Which colour?' },
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
}

let on: CodexStage

afterEach(async () => {
  await on?.vigil('stop').catch(() => {})
  await on?.end()
})

interface Asked extends OpenRequest {
  readonly code: string
}

/** A client, and vigil beside it; hooks only where there is no server. */
async function started(replies: Said[], ...args: string[]): Promise<Pane> {
  on = await CodexStage.open(replies)
  if (args.includes('--no-daemon')) await on.vigil('install')
  await on.vigil('answers', 'on')
  return on.codex(...args)
}

/** The request of this session, once it can be answered. */
function asked(kind: OpenRequest['kind'] = 'permission'): Promise<Asked> {
  return until('the request', async () => {
    const all = JSON.parse(await on.vigil('answer', '--json')) as Asked[]
    return all.find((one) => one.folder === on.place.project && one.kind === kind && one.answerable)
  })
}

const answered = ({ session, code }: Asked, what: string, ...more: string[]) =>
  on.vigil('answer', session, what, ...more, '--request', code)
const gone = (pane: Pane) => pane.sees((screen) => !PERMISSION.test(screen.slice(-900)))
const made = (file = 'made') => existsSync(join(on.place.project, file))

describeUnless(NO_CODEX)('a request of the real Codex', () => {
  it('[CX40][CX42][CX43] is denied with a word, and allowed for its session', async () => {
    const again: Said[] = [TOUCH, { text: 'Ran.' }]
    const pane = await started([TOUCH, { text: 'I use make.' }, ...again, ...again])
    await on.submit(pane, 'first')
    const first = await asked()
    expect(first).toMatchObject({ actor: null, tool: 'Bash', input: { command: 'touch made' } })
    await on.vigil('answer', first.session, 'deny', '--word', 'use make instead')
    await pane.sees(/I use make\./)
    expect(made()).toBe(false)
    expect(on.model.asked.at(-1)).toMatch(/rejected by user[\s\S]*use make instead/)
    await on.submit(pane, 'second')
    const second = await asked()
    expect(second.id).not.toBe(first.id)
    await answered(second, 'allow', '--suggestion', '0')
    await gone(pane)
    await until('the file', () => made())
    await on.says({ id: second.session, state: 'idle' })
    await on.submit(pane, 'third')
    await until('no question', () => on.model.asked.length === 6)
    const { stdout } = await on.run(on.command('audit'))
    expect(stdout).toMatch(/denied Bash: use make instead[\s\S]*always allow this command/)
  })

  it('[CX46] for a file change shows its files, and makes them when it is allowed', async () => {
    const pane = await started(
      [{ patch: PATCH }, { text: 'Written.' }],
      ...['-s', 'read-only', '-a', 'on-request'],
    )
    await on.submit(pane, 'write it')
    const request = await asked()
    const path = join(on.place.project, 'new.txt')
    expect(request.input).toMatchObject({ changes: [{ path, action: 'add', after: 'one\n' }] })
    await answered(request, 'allow')
    await pane.sees(/Written\./)
    expect(readFileSync(path, 'utf8')).toBe('one\n')
  })

  it('[CX67] for a call of an MCP tool is denied, allowed, and always allowed', async () => {
    const call = { name: 'keep_note', namespace: 'mcp__notes', args: { text: 'a note' } }
    const replies = ['No.', 'Kept.', 'Again.', 'Unasked.'].flatMap((text) => [{ call }, { text }])
    on = await CodexStage.open(replies)
    const noted = join(on.place.root, 'noted')
    const [program, file] = [process.execPath, TOOL_SERVER].map((one) => JSON.stringify(one))
    const table = `[mcp_servers.notes]\ncommand = ${program}\nargs = [${file}, "${noted}"]\n`
    appendFileSync(join(on.home, 'config.toml'), table)
    await on.vigil('answers', 'on')
    const pane = await on.codex()
    await on.submit(pane, 'first')
    const first = await asked()
    expect(first).toMatchObject({ tool: 'mcp__notes__keep_note' })
    expect(first.input).toMatchObject({ server: 'notes', arguments: { text: 'a note' } })
    await answered(first, 'deny')
    await pane.sees(/No\./)
    expect(existsSync(noted)).toBe(false)
    await on.submit(pane, 'second')
    await answered(await asked(), 'allow')
    await pane.sees(/Kept\./)
    expect(readFileSync(noted, 'utf8')).toBe('a note')
    await on.submit(pane, 'third')
    await answered(await asked(), 'allow', '--suggestion', '0')
    await pane.sees(/Again\./)
    rmSync(noted)
    await on.submit(pane, 'fourth')
    await pane.sees(/Unasked\./)
    expect(existsSync(noted)).toBe(true)
  })

  it('[CX43] that is a question is answered by an option', async () => {
    const call = { name: 'request_user_input', args: { questions: [QUESTION] } }
    const pane = await started([{ call }, { text: 'Thanks.' }])
    await pane.press('BTab')
    await pane.sees(/Plan mode/)
    await on.submit(pane, 'ask me')
    await answered(await asked('question'), 'pick', '2')
    await pane.sees(/Thanks\./)
    expect(on.model.asked.at(-1)).toContain('Blue')
  })

  it('[CX42] that was answered in its terminal cannot be answered again', async () => {
    const pane = await started([TOUCH, { text: 'Ran.' }])
    await on.submit(pane, 'go')
    const { session, code } = await asked()
    await pane.sees(PERMISSION)
    await pane.press('y')
    await pane.sees(/Ran\./)
    const late = await on.run(on.command('answer', session, 'allow', '--request', code))
    expect(late.code).not.toBe(0)
    expect((await on.run(on.command('audit'))).stdout).not.toContain('allowed Bash')
  })

  it('[CX41][CX42] is answered without a terminal, and the thread goes on', async () => {
    const pane = await started([TOUCH, { text: 'Ran.' }])
    await on.submit(pane, 'go')
    const { code } = await asked()
    await pane.close()
    const still = await asked()
    expect(still.code).toBe(code)
    await answered(still, 'allow')
    await until('the file', () => made())
    await until('its end', () => on.model.asked.length === 2)
  })
})

describeUnless(NO_CODEX)('the real Codex', () => {
  it('[CX45] takes prompts, also while it works, and is interrupted', async () => {
    const slow: Said = { text: `${'word '.repeat(60)}end.`, everyMs: 200 }
    const pane = await started([{ text: 'Ready.' }, { ...slow, text: 'A b c d e f g h.' }])
    on.model.add([{ text: 'Queued.' }, slow])
    await on.submit(pane, 'hello')
    const { id } = await on.says({ state: 'idle', reply: 'Ready.' })
    await expect(on.vigil('say', id, 'no')).rejects.toThrow('typing is off')
    await on.vigil('typing', id, 'on')
    await on.vigil('say', id, 'from outside')
    await pane.sees(/› from outside/)
    await on.says({ id, state: 'working' })
    expect(JSON.parse(await on.vigil('say', id, 'after it', '--json'))).toMatchObject({
      queued: true,
    })
    await pane.sees(/Queued\./)
    await on.says({ id, state: 'idle' })
    await on.vigil('say', id, 'a long one')
    await pane.sees(/word word/)
    await on.says({ id, state: 'working' })
    await on.vigil('interrupt', id)
    await pane.sees(/Conversation interrupted/)
  })

  it('[CX44][CX47] without its daemon is answered through its pane', async () => {
    const pane = await started([TOUCH, { text: 'Ran.' }], '--no-daemon')
    await on.submit(pane, 'go')
    await pane.sees(PERMISSION)
    const { id } = await on.says({ state: 'waiting', for: 'permission' })
    await on.vigil('typing', id, 'on')
    await answered(await asked(), 'allow')
    await pane.sees(/Ran\./)
    expect(made()).toBe(true)
  })

  it('[L11][CX66] of two in one folder each has the session of its prompt', async () => {
    on = await CodexStage.open([{ text: 'One.' }, { text: 'Two.' }])
    await on.vigil('tmux', 'on', '--mode', 'marks')
    const [first, second] = [await on.codex('--no-daemon'), await on.codex('--no-daemon')]
    await on.submit(second, 'the one')
    await on.submit(first, 'the other')
    for (const [pane, prompt] of [
      [second, 'the one'],
      [first, 'the other'],
    ] as const)
      await on.says({ prompt, state: 'idle', tmuxPane: pane.id })
    await second.close()
    await on.says({ prompt: 'the one', state: 'closed' })
    await on.says({ prompt: 'the other', state: 'idle' })
  })
})
