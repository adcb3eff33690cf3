import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../src/app/stage.ts'
import { beatsOf, opened } from '../../src/surfaces/demo/beats.ts'
import { firstPicture } from '../../src/surfaces/demo/first-picture.ts'
import { type DemoRole, readStory } from '../../src/surfaces/demo/story.ts'
import { View } from '../../src/surfaces/tui/view.ts'
import { until } from '../support/daemon.ts'
import { VirtualTerminal } from '../support/terminal.ts'

const ROLES = readStory()
const PROJECTS = ROLES.map(({ project }) => project).toSorted()

describe('the story', () => {
  const prompts = ROLES.flatMap(({ tasks }) => tasks.map(({ prompt }) => prompt))
  const calls = ROLES.flatMap(({ tasks }) => tasks.flatMap(({ steps }) => steps))
    .filter((step) => step.is === 'call')
    .map((step) => step.call)

  it('[IN31] has a dozen agents and everything that an agent may ask', () => {
    expect(PROJECTS).toHaveLength(12)
    expect(new Set(calls.map(({ does }) => does))).toEqual(
      new Set(['run', 'edit', 'read', 'search', 'ask', 'plan']),
    )
    for (const call of calls) {
      if (call.does === 'ask') expect(call.question.options.length).toBeGreaterThan(1)
      if (call.does === 'run') expect([call.command, call.about]).not.toContain('')
      if (call.does === 'edit') expect(call.after).not.toBe('')
      if (call.does === 'plan') expect(call.plan.split('\n').length).toBeGreaterThan(3)
    }
    for (const { tasks } of ROLES)
      for (const { steps } of tasks) expect(['stop', 'fail']).toContain(steps.at(-1)?.is)
  })

  it('[IN31] begins with something of every kind', () => {
    const sessions = firstPicture(ROLES, Date.UTC(2030, 0, 1))
    const states = sessions.map(({ state, for: waitsFor }) => waitsFor ?? state)
    for (const one of ['permission', 'question', 'plan', 'error', 'idle', 'working'])
      expect(states).toContain(one)
    expect(sessions.filter(({ loop }) => loop !== null)).toHaveLength(1)
  })

  it('[IN31] goes on for ten minutes and no agent does the same twice', () => {
    for (const role of ROLES) {
      const seen = new Set<string>()
      let ms = 0
      for (const { event, thenMs } of beatsOf(role)) {
        if (event.is === 'stop') {
          expect(seen, role.project).not.toContain(event.text)
          seen.add(event.text)
        }
        // An agent that waits does so until it is answered: here at once.
        ms += thenMs ?? 0
        if (ms > TEN_MINUTES_MS) break
      }
    }
    expect(new Set(prompts).size).toBeGreaterThan(35)
  })

  it('[IN32] an agent goes on according to its answer', () => {
    const role = ROLES.find(({ project }) => project === 'payments') as DemoRole
    const answered = (allowed: boolean) => {
      const { rest } = opened(role, 0)
      const beats = [rest.next({ allowed, words: 'Not today.' }), rest.next(), rest.next()]
      return beats.map(({ value }) => value?.event)
    }
    expect(answered(true).map((event) => event?.is)).toEqual(['resume', 'say', 'end'])
    expect(answered(false).slice(1, 2)).toEqual([{ is: 'stop', text: 'I left it. Not today.' }])
  })
})

const TEN_MINUTES_MS = 600_000

describe('the demo’s daemon', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ speed: 8 })
    await until('all have begun', async () => (await sessions()).length === PROJECTS.length)
  })
  afterAll(() => stage.close())

  const sessions = async () => {
    const listing = await stage.client.sessions()
    return listing.sessions.filter(({ project }) => project !== null)
  }

  it('[IN30][IN31] knows the played sessions and nothing of the machine', async () => {
    const all = (await stage.client.sessions({ all: true })).sessions
    expect(new Set(all.map(({ host }) => host))).toEqual(new Set(['demo']))
    expect((await sessions()).map(({ project }) => project).toSorted()).toEqual(PROJECTS)
    const { agents, sources } = await stage.client.health()
    expect(Object.values(agents).flatMap(({ homes }) => homes)).toEqual([])
    const told = ['hook', 'loop', 'process', 'registry', 'transcript']
    for (const source of Object.keys(sources)) expect(told).toContain(source)
    for (const { tmuxPane, tmuxSocket, tty } of all)
      expect([tmuxPane, tmuxSocket, tty]).toEqual([null, null, null])
  })

  it('[IN31] has a month to tell of', async () => {
    const { totals, byProject, byDay, unwatchedMs, hooks } = await stage.client.insight(
      'month',
      'UTC',
    )
    expect(totals.sessions).toBeGreaterThan(60)
    expect(totals.costUsd).toBeGreaterThan(1)
    expect(totals.tokens?.output).toBeGreaterThan(10_000)
    expect(byProject.map(({ project }) => project).toSorted()).toEqual(PROJECTS)
    expect(byDay.filter(({ workedMs }) => workedMs > 0).length).toBeGreaterThan(15)
    expect(unwatchedMs).toBeLessThan(10_000)
    // Its agents are played: each hook has the time of its line.
    expect(hooks).toMatchObject({ medianDelayMs: 0, p99DelayMs: 0 })
  })

  it('[IN31] always has something that waits, and never everything', async () => {
    const until = Date.now() + 4_000
    const counts = new Set<number>()
    while (Date.now() < until) {
      counts.add((await sessions()).filter(({ state }) => state === 'waiting').length)
      await sleep(50)
    }
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(Math.max(...counts)).toBeLessThan(PROJECTS.length)
  })

  it('[IN32] what is asked there is answered, and its agent goes on', async () => {
    const asked = async () =>
      (await stage.client.requests()).requests.find(({ kind }) => kind === 'permission')
    await until('one asks', async () => (await asked()) !== undefined)
    const request = await asked()
    if (!request) throw new Error('it was answered meanwhile')
    expect(request).toMatchObject({ answerable: true, why: null })
    const { id, session, digest } = request
    await stage.client.answer(id, { choice: 'deny', word: 'Not today.', where: 'cli' })
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    await until('it says that it left it', async () => {
      const talk = await stage.client.talk(session)
      return talk?.said.some((text) => text.includes('I left it. Not today.'))
    })
  })

  it('[IN32] nor typed or prompted', async () => {
    const [{ id } = { id: '' }] = await sessions()
    await expect(stage.client.say(id, 'hello')).rejects.toThrow(/tmux|typing/)
  })

  it('[IN31] is shown by the live view', async () => {
    const terminal = new VirtualTerminal(120, 30)
    const { stdin, stdout } = terminal
    const jump = async () => 'it is a demo'
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
