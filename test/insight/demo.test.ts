import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../src/app/stage.ts'
import { play } from '../../src/recording/play.ts'
import { movedReport, tape } from '../../src/surfaces/demo/tape.ts'
import { View } from '../../src/surfaces/tui/view.ts'
import { until } from '../support/daemon.ts'
import { VirtualTerminal } from '../support/terminal.ts'

const PROJECTS = [
  ...['compiler', 'crawler', 'engine', 'parser'],
  ...['payments', 'planner', 'sandbox', 'website'],
]

describe('the tape', () => {
  it('[IN31] has the same states at any time, in every round and at twice the speed', () => {
    const recorded = tape()
    const length = recorded.endedAt - recorded.beganAt
    const own = statesOf([...play(recorded.reports, recorded.endedAt)])
    for (const speed of [1, 2]) {
      const at = Date.UTC(2030, 0, 1)
      const rounds = [0, 1, 2].flatMap((round) =>
        recorded.reports.map((report) =>
          movedReport(report, recorded, { at: at + (round * length) / speed, speed, files: '/f' }),
        ),
      )
      const changes = [...play(rounds, at + (3 * length) / speed)]
      for (const round of [0, 1, 2]) {
        const begin = at + (round * length) / speed
        const within = changes.filter(({ t }) => t >= begin && t < begin + length / speed)
        expect(statesOf(within), `round ${round} at ${speed}`).toEqual(own)
      }
    }
  })

  it('[IN30] names no pane, socket or file of the machine it is played on', () => {
    const recorded = tape()
    const move = { at: Date.now(), speed: 1, files: '/demo/files' }
    const text = recorded.reports
      .map((one) => JSON.stringify(movedReport(one, recorded, move)))
      .join()
    const named = /"tmux|tmuxPane|messagingSocket|\/home\/ada\/\.claude/.exec(text)?.[0]
    expect(named).toBeUndefined()
    expect(text.includes('/demo/files/projects/-home-ada-engine/')).toBe(true)
  })
})

describe('the demo’s daemon', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ speed: 5 })
    await until('all have begun', async () => (await sessions()).length === PROJECTS.length)
  })
  afterAll(() => stage.close())

  const sessions = async () => {
    const listing = await stage.client.sessions()
    return listing.sessions.filter(({ project }) => project !== null)
  }

  it('[IN30][IN31] knows the recorded sessions and nothing of the machine', async () => {
    const all = (await stage.client.sessions({ all: true })).sessions
    expect(new Set(all.map(({ host }) => host))).toEqual(new Set(['demo']))
    expect((await sessions()).map(({ project }) => project).toSorted()).toEqual(PROJECTS)
    const { agents, sources } = await stage.client.health()
    expect(Object.values(agents).flatMap(({ homes }) => homes)).toEqual([])
    expect(Object.keys(sources).toSorted()).toEqual(['hook', 'process', 'registry', 'transcript'])
    for (const { tmuxPane, tmuxSocket, tty } of all)
      expect([tmuxPane, tmuxSocket, tty]).toEqual([null, null, null])
  })

  it('[IN31] has a month to tell of', async () => {
    const { totals, byProject, byDay, unwatchedMs } = await stage.client.insight('month', 'UTC')
    expect(totals.sessions).toBeGreaterThan(60)
    expect(totals.costUsd).toBeGreaterThan(1)
    expect(totals.tokens?.output).toBeGreaterThan(10_000)
    expect(byProject.map(({ project }) => project).toSorted()).toEqual(PROJECTS)
    expect(byDay.filter(({ workedMs }) => workedMs > 0).length).toBeGreaterThan(15)
    expect(unwatchedMs).toBeLessThan(10_000)
  })

  it('[IN32] what is asked there can be read, and says that it cannot be answered', async () => {
    await until('one asks', async () => (await stage.client.requests()).requests.length > 0)
    const [request] = (await stage.client.requests()).requests
    expect(request).toMatchObject({ answerable: false, why: expect.stringMatching(/recording/) })
    const answering = stage.client.answer(request?.id ?? '', { choice: 'allow', where: 'cli' })
    await expect(answering).rejects.toMatchObject({
      status: expect.toSatisfy((status: number) => status === 409 || status === 404),
      message: expect.stringMatching(/recording/),
    })
    expect((await sessions()).flatMap(({ asks }) => asks)).toEqual([])
  })

  it('[IN32] nor typed or prompted', async () => {
    const [{ id } = { id: '' }] = await sessions()
    await expect(stage.client.say(id, 'hello')).rejects.toThrow(/tmux|typing/)
  })

  it('[IN31] is shown by the live view', async () => {
    const terminal = new VirtualTerminal(120, 30)
    const { stdin, stdout } = terminal
    const jump = async () => 'it is a recording'
    const view = new View({ client: stage.client, stdin, stdout, colours: true, jump })
    const run = view.run()
    await until('all are shown', () => PROJECTS.every((name) => terminal.text.includes(name)))
    terminal.type('q')
    expect(await run).toBeUndefined()
  })
})

it('[IN30] is gone with its folder when it is closed', async () => {
  const stage = await openStage({ speed: 10 })
  const home = dirname(stage.folders.database)
  expect(existsSync(stage.folders.socket)).toBe(true)
  await stage.close()
  expect(existsSync(home)).toBe(false)
  await expect(stage.client.health()).rejects.toThrow()
})

function statesOf(changes: ReturnType<typeof play> extends Iterable<infer C> ? C[] : never) {
  const states: Record<string, string[]> = {}
  for (const { verdict } of changes) {
    if (verdict.session.startsWith('process:')) continue
    states[verdict.session] ??= []
    const said = `${verdict.state} ${verdict.for ?? ''}`
    if (states[verdict.session]?.at(-1) !== said) states[verdict.session]?.push(said)
  }
  return states
}
