import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import type { Pane } from '../../lab/drive/pane.ts'
import { until } from '../../lab/until.ts'
import type { LoopStep, LoopView } from '../../src/protocol/loop.ts'
import type { Said } from '../support/codex/model.ts'
import { CodexStage, NO_CODEX } from '../support/codex/stage.ts'
import { describeUnless } from '../support/needs.ts'

const DONE = '<loop-done>COMPLETE</loop-done>'
const TASK = 'mend the engine'

let on: CodexStage

afterEach(async () => {
  await on?.vigil('stop').catch(() => {})
  await on?.end()
})

/** A client whose first turn is over, with a loop that has begun. */
async function looped(replies: Said[], mode: string[], ...args: string[]) {
  on = await CodexStage.open([{ text: 'Ready.' }, ...replies])
  await on.vigil('install')
  await on.vigil('status')
  const pane = await on.codex(...mode)
  await on.submit(pane, 'hello there')
  const { id } = await on.says({ state: 'idle', reply: 'Ready.', tmuxPane: pane.id })
  await on.vigil('typing', id, 'on')
  await on.vigil('loop', 'start', id, '--prompt', TASK, '--patience', '99', ...args)
  return { pane, id }
}

async function becomes(id: string, isSo: (loop: LoopView) => boolean): Promise<LoopView> {
  let last: LoopView | undefined
  const look = async () => {
    last = JSON.parse(await on.vigil('loop', 'status', id, '--json')) as LoopView
    return isSo(last) ? last : undefined
  }
  return until(`the loop: ${isSo}`, look, { withinMs: 60_000, shows: () => JSON.stringify(last) })
}

const ended = (id: string) => becomes(id, ({ open }) => !open)
const held = (id: string) => becomes(id, ({ hold }) => hold !== null)

async function stepsOf(id: string): Promise<LoopStep[]> {
  const said = JSON.parse(await on.vigil('loop', 'history', id, '--json'))
  return Array.isArray(said) ? said : said.steps
}

const slow = (words: number): Said => ({ text: `${'word '.repeat(words)}end.`, everyMs: 200 })

/** More than another client takes on its own. */
const BLOCKS = 12

describeUnless(NO_CODEX)('a loop of the real Codex', () => {
  const modes = [['its daemon', []] as const, ['--no-daemon', ['--no-daemon']] as const]

  it.each(modes)('[CX50][CX51] in %s goes on twelve times, then ends', async (_, mode) => {
    const parts = Array.from({ length: BLOCKS }, (_one, n) => ({ text: `Part ${n + 1}.` }))
    const last = [{ text: `Made.`, command: 'echo x > made' }, { text: `End.\n\n${DONE}` }]
    const { id, pane } = await looped([...parts, ...last], [...mode], '--max', '20')
    expect(await ended(id)).toMatchObject({ reason: 'COMPLETE', iteration: BLOCKS })
    expect(await pane.screen()).toMatch(/\[ITERATION 12\/20\][\s\S]*Made\.[\s\S]*End\./)
    const said = (await stepsOf(id)).filter(({ kind }) => kind === 'iteration')
    expect(said.map((step) => step.said)).toEqual(parts.map(({ text }) => text))
    expect(on.model.asked).toHaveLength(BLOCKS + 3)
    await on.says({ id, state: 'idle' })
  })

  it.each(modes)('[LP78][LP38] in %s is paused by Esc, and so is its check', async (_, mode) => {
    const until_ = ['--until', 'exec sleep 77']
    const { id, pane } = await looped([{ text: 'One.' }], [...mode], ...until_)
    await until('the check', () => checks() > 0)
    await on.says({ id, state: 'working' })
    await pane.press('Escape')
    expect((await held(id)).hold).toMatchObject({ kind: 'paused', why: 'interrupted by you' })
    await until('the end of the check', () => checks() === 0)
  })

  it.each(modes)('[LP79] in %s is parked by an API error, and resumed', async (_, mode) => {
    const { id } = await looped([{ text: 'One.' }, { status: 400 }, { text: DONE }], [...mode])
    const { hold } = await held(id)
    expect(hold).toMatchObject({ kind: 'parked' })
    expect(hold?.until).toBeGreaterThan(Date.now())
    await on.vigil('loop', 'resume', id)
    expect(await ended(id)).toMatchObject({ reason: 'COMPLETE', iteration: 1 })
  })

  it('[LP78] is paused by Esc in a turn, and goes on when it is resumed', async () => {
    const { id, pane } = await looped([{ text: 'One.' }, slow(100), { text: DONE }], [])
    await pane.sees(/word word/)
    await pane.press('Escape')
    expect((await held(id)).hold).toMatchObject({ kind: 'paused' })
    await on.vigil('loop', 'resume', id)
    expect(await ended(id)).toMatchObject({ reason: 'COMPLETE', iteration: 1 })
  })

  it('[CX52] has its task again after a compaction, and its signal in any form', async () => {
    const signal = '&lt;loop-done&gt;COMPLETE&lt;/loop-done&gt;'
    const said = ['Ready.', 'A summary.', 'Going.', `Made.\n\n${signal}`].map((text) => ({ text }))
    on = await CodexStage.open(said)
    await on.vigil('install')
    await on.vigil('status')
    const pane = await on.codex()
    await on.submit(pane, 'hello there')
    const { id } = await on.says({ state: 'idle', reply: 'Ready.' })
    await on.vigil('loop', 'start', id, '--prompt', TASK)
    await on.submit(pane, '/compact')
    await pane.sees(/Context compacted/)
    await on.submit(pane, 'now go')
    expect(await ended(id)).toMatchObject({ reason: 'COMPLETE', iteration: 1 })
    expect(on.model.asked.at(-1)).toMatch(/was summarised; this is what counts.*Goal: mend the eng/)
  })

  it('[CX53] goes on without its terminal', async () => {
    const replies = [{ text: 'One.' }, slow(10), { text: 'Two.' }, { text: DONE }]
    const { id, pane } = await looped(replies, [])
    await closed(pane)
    expect(await ended(id)).toMatchObject({ reason: 'COMPLETE', iteration: 3 })
  })
})

async function closed(pane: Pane): Promise<void> {
  await pane.sees(/word word/)
  await pane.close()
}

/** How many checks of this stage run. */
function checks(): number {
  const isCheck = (pid: string) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
      return line === 'sleep\x0077\x00' && environ.includes(on.place.root)
    } catch {
      return false
    }
  }
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isCheck(name)).length
}
