import type { Client } from '../../client/client.ts'
import { GRIND_MAX_DEFAULT, LOOP_MAX_DEFAULT, PATIENCE_TURNS } from '../../core/limits.ts'
import type { Mode } from '../../core/loop/run.ts'
import { addressOf, keyOf } from '../../protocol/address.ts'
import type { LoopStart, LoopStarted } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { noteLoop } from '../loop/worktree.ts'
import { asked, BadInput } from './bad-input.ts'
import { checkedPrompt, promptOf } from './loop-prompt.ts'
import { startedText } from './loop-said.ts'
import { whichSession } from './loop-which.ts'
import { modeOf, type Work, workOf } from './loop-work.ts'
import { refuseOthers } from './no-agent.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

export interface StartOptions {
  readonly prompt?: string
  readonly promptFile?: string
  readonly mode?: Mode
  readonly item?: string
  readonly from?: string
  readonly filter?: string
  readonly max?: number
  readonly for?: number
  readonly budget?: number
  readonly until?: string
  readonly patience?: number
  readonly json?: boolean
}

export async function start(name: string | undefined, options: StartOptions): Promise<void> {
  const mode = modeOf(options)
  const given = options.prompt === undefined ? undefined : checkedPrompt('--prompt', options.prompt)
  const words = await promptOf(given, options.promptFile)
  const alone = options.from === undefined && mode !== 'issue'
  if (words.prompt === null && alone)
    throw new BadInput('--prompt or --prompt-file: expected a task for the agent')
  const client = await reach()
  const session = await whichSession(client, name)
  await refuseOthers({ id: keyOf(session) }, 'loop start')
  refuse(session, options)
  const work = await workOf(options, mode, session.cwd ?? process.cwd())
  const started = await begin(client, { ...wanted(session, mode, options), ...words, ...work })
  const heardHook = (await client.explain(addressOf(session)))?.heard.hook !== undefined
  if (options.json) return out.json(started)
  const about = { session, options, work, heardHook, disabled: isDisabled() }
  out.lines(startedText(started, about))
}

function isDisabled(): boolean {
  return [process.env.VIGIL_LOOP_DISABLE, process.env.IDLE_LOOP_DISABLE].includes('1')
}

/** Refuses a loop that would end before it began. */
function refuse({ id, state, costUsd }: Session, { budget }: StartOptions): void {
  if (state === 'closed') throw new BadInput(`${id}: the session is closed; resume it first`)
  if (budget !== undefined && costUsd === null)
    throw new BadInput(
      '--budget: the cost of this session is unknown. To read it from the status line, run ' +
        '`vigil install --statusline`, and let the agent finish one turn',
    )
}

function wanted(session: Session, mode: Mode, options: StartOptions) {
  const { max, until, for: forMs, budget, patience } = options
  return {
    session: addressOf(session),
    mode,
    max: max ?? (mode === 'grind' ? GRIND_MAX_DEFAULT : LOOP_MAX_DEFAULT),
    until: until ?? null,
    forMs: forMs ?? null,
    budgetUsd: budget ?? null,
    patience: patience ?? PATIENCE_TURNS,
  }
}

/** Removes the worktree that was made for the loop if the loop does not start. */
async function begin(
  client: Client,
  { undo, note: _, ...start }: LoopStart & Work,
): Promise<LoopStarted> {
  try {
    const started = await asked(client.startLoop(start))
    if (start.worktree) await noteLoop(start.worktree, started.loop.id)
    return started
  } catch (error) {
    await undo()
    throw error
  }
}
