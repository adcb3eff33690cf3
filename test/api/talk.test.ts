import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DaemonHome } from '../support/daemon.ts'
import { asks, BUILD, PageFleet } from '../support/page-fleet.ts'
import { COMMAND_LAYOUT } from '../support/view.ts'

const home = new DaemonHome()
const fleet = new PageFleet(home)

beforeAll(() => home.start())
afterAll(() => home.end())

const talkOf = (id: string) => home.client.talk(id)

it('[PG26] tells the last messages, and the call that is asked about', async () => {
  const transcript_path = fleet.transcript('one', ['first', 'last'], { name: 'Bash', input: BUILD })
  await fleet.tell('one', 1, ...asks('Bash', BUILD).map((event) => ({ ...event, transcript_path })))
  expect(await talkOf('one')).toEqual({
    said: ['first', 'last'],
    call: { tool: 'Bash', input: BUILD, layout: COMMAND_LAYOUT, folder: '/home/ada/one' },
  })
})

it('[PG26] of a transcript that is none says nothing, and does not wait for it', async () => {
  const pipe = join(home.seenAt, 'projects', '-p', 'pipe.jsonl')
  execFileSync('mkfifo', [pipe])
  for (const transcript_path of [pipe, '/dev/zero', home.seenAt, '/nowhere/x.jsonl']) {
    const id = `none-${transcript_path.length}`
    const event = { hook_event_name: 'UserPromptSubmit', prompt: 'x', transcript_path }
    await fleet.tell(id, 0, event)
    expect(await talkOf(id), transcript_path).toEqual({ said: [], call: null })
  }
})

it('[PG26] an unknown session has none', async () => {
  expect(await talkOf('nobody')).toBeUndefined()
})

it('[PG27] a look is reported, and the session is read', async () => {
  await fleet.tell('unread', 1, ...asks('Bash', BUILD))
  expect((await home.client.session('unread'))?.unread).toBe(true)
  expect(await home.client.look('unread')).toEqual({ looked: true })
  expect((await home.client.session('unread'))?.unread).toBe(false)
})
