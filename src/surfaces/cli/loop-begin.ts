import { asked, BadInput } from './bad-input.ts'
import { startedText } from './loop-said.ts'
import { out } from './output.ts'
import { ownSession } from './own-session.ts'
import { reach } from './reach.ts'

/** SPEC WD14. `/vigil:loop` runs this without arguments: the daemon knows what the user typed. */
export async function begin(): Promise<void> {
  const client = await reach()
  const { sessions } = await client.sessions()
  const session = ownSession(sessions.filter(({ state }) => state !== 'closed'))
  if (!session) throw new BadInput('vigil does not know this session; `vigil doctor` shows why')
  const begun = await asked(client.beginLoop(session.id))
  if (begun.act === 'refused') throw new BadInput(begun.why)
  out.lines(begun.act === 'later' ? [LATER] : begunLines(begun.started, session))
}

/** For clients that report the typed text only after this has run. */
const LATER = 'The loop starts with this prompt; /vigil:status shows its progress.'

type Told = Parameters<typeof startedText>

function begunLines(started: Told[0], session: Told[1]['session']): readonly string[] {
  const { deadlineAt, startedAt, budgetUsd } = started.loop
  const options = {
    ...(deadlineAt !== null && { for: deadlineAt - startedAt }),
    ...(budgetUsd !== null && { budget: budgetUsd }),
  }
  const about = { session, options, work: { note: '', item: null }, heardHook: true }
  return startedText(started, { ...about, disabled: false })
}
