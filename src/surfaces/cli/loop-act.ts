import type { Client } from '../../client/client.ts'
import type { LoopView } from '../../protocol/loop.ts'
import { asked } from './bad-input.ts'
import { nextOf } from './loop-said.ts'
import { nameOfRow } from './loop-table.ts'
import { cleanUpAfter } from './loop-tidy.ts'
import { sessionKeyOf, whichLoop } from './loop-which.ts'
import { refuseOthers } from './no-agent.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

const BY_USER = 'by you'

export async function pause(name: string | undefined, { json }: Options): Promise<void> {
  const { client, loop } = await found(name)
  await refuseOthers({ id: sessionKeyOf(loop) }, 'loop pause')
  const answer = await asked(client.pauseLoop(loop.id, BY_USER))
  const next = 'The agent may stop; `vigil loop resume` continues it.'
  print(json ? answer : `${await titleOf(client, loop, answer.loop)} paused. ${next}`)
}

export async function resume(name: string | undefined, { json }: Options): Promise<void> {
  const { client, loop } = await found(name)
  const answer = await asked(client.resumeLoop(loop.id))
  print(
    json
      ? answer
      : `${await titleOf(client, loop, answer.loop)} continues. ${nextOf(answer.delivery)}`,
  )
}

export async function stop(name: string | undefined, { json }: Options): Promise<void> {
  const { client, loop } = await found(name)
  await refuseOthers({ id: sessionKeyOf(loop) }, 'loop stop')
  const answer = await asked(client.stopLoop(loop.id, BY_USER))
  const { sessions } = await client.sessions({ all: true })
  const own = { unused: true, loop: loop.id }
  const cleaned = await cleanUpAfter(client, sessions, [loop], own)
  const line = `${await titleOf(client, loop, loop)} stopped. The agent may stop when it is done.`
  print(json ? answer : [line, ...cleaned])
}

async function found(name: string | undefined) {
  const client = await reach()
  return { client, loop: await whichLoop(client, name, { over: false }) }
}

async function titleOf(client: Client, named: LoopView, loop: LoopView): Promise<string> {
  const session = await client.session(sessionKeyOf(named))
  const { mode, iteration, max } = loop
  return `${nameOfRow({ loop, session, last: '' })}: ${mode} ${iteration}/${max}`
}

function print(answer: string | readonly string[] | object): void {
  if (typeof answer === 'string') out.line(answer)
  else if (Array.isArray(answer)) out.lines(answer)
  else out.json(answer)
}
