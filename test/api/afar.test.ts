import { beforeEach, describe, expect, it } from 'vitest'
import { FLEET_RIGHTS } from '../../src/protocol/constants.ts'
import { OTHER_MACHINE } from '../support/machines.ts'
import { AHEAD_MS, addressOf, memberWith, requestOf, TwoMachines } from './two-machines.ts'

let two: TwoMachines
let here: TwoMachines['here']
let there: TwoMachines['there']
let asked: TwoMachines['asked']

beforeEach(() => {
  two = new TwoMachines()
  ;({ here, there, asked } = two)
})

describe('a session of another machine', () => {
  it('[FL122] is asked for there by its id, and answered by this clock', async () => {
    const id = two.idThere
    const { status, json } = await here.get(`/v1/sessions/${addressOf(id)}`)
    expect(status).toBe(200)
    expect(asked).toEqual([
      expect.objectContaining({ method: 'GET', target: `/v1/sessions/${encodeURIComponent(id)}` }),
    ])
    const own = there.session(id)
    expect(json).toMatchObject({ id, machine: OTHER_MACHINE, state: own?.state })
    expect(json.since).toBe((own?.since ?? 0) - AHEAD_MS)
  })

  it('[FL122] shifts times wherever an answer has them', async () => {
    const id = two.idThere
    const { json } = await here.get(`/v1/sessions/${addressOf(id)}/explain`)
    const own = there.explain(id)
    expect(json.heard.hook).toBe((own?.heard.hook ?? 0) - AHEAD_MS)
    expect(json.history.map(({ t }: { t: number }) => t)).toEqual(
      own?.history.map(({ t }) => t - AHEAD_MS),
    )
    expect(json.history[0].verdict.since).toBe((own?.history[0]?.verdict.since ?? 0) - AHEAD_MS)
  })

  it('[FL123] is listed beside those of this machine, and never to a member', async () => {
    const { json } = await here.get('/v1/sessions')
    const machines = new Set(json.sessions.map(({ machine }: { machine: string }) => machine))
    expect(machines).toEqual(new Set([here.fleet.machine, OTHER_MACHINE]))
    const { body } = await here.app(
      requestOf({ method: 'GET', target: '/v1/sessions' }),
      memberWith('look'),
    )
    const told = JSON.parse(String(body)).sessions as readonly { machine: string }[]
    expect(new Set(told.map(({ machine }) => machine))).toEqual(new Set([here.fleet.machine]))
  })

  it('[FL122] has figures of its own, and those of an unknown machine are refused', async () => {
    const { status, json } = await here.get(`/v1/insight?period=week&machine=${OTHER_MACHINE}`)
    expect([status, json.machine]).toEqual([200, OTHER_MACHINE])
    expect(asked.map(({ target }) => target)).toEqual(['/v1/insight?period=week'])
    expect((await here.get(`/v1/insight?machine=m${'d4'.repeat(12)}`)).status).toBe(404)
    expect((await here.get(`/v1/insight?machine=${here.fleet.machine}`)).json.machine).toBe(
      here.fleet.machine,
    )
  })

  it('[FL122] of an unknown machine is refused as before, and nothing is sent', async () => {
    const unknown = encodeURIComponent(`m${'d4'.repeat(12)}/${two.idThere}`)
    const { status, json } = await here.get(`/v1/sessions/${unknown}`)
    expect(status).toBe(404)
    expect(json.error).toContain('is on machine')
    expect(asked).toEqual([])
  })

  it('[FL122] is not passed on by a member: no machine acts in another’s name', async () => {
    const target = `/v1/sessions/${addressOf(two.idThere)}`
    const { status } = await here.app(requestOf({ method: 'GET', target }), memberWith('type'))
    expect(status).toBe(404)
    expect(asked).toEqual([])
  })
})

describe('[FL120] what another machine may do', () => {
  const routes = () =>
    here.routes.map((route) => ({ ...route, name: `${route.method} ${route.path}` }))

  it('is said by each route, and is nothing unless it is said', () => {
    const table = Object.groupBy(routes(), ({ afar = 'not from afar' }) => afar)
    const names = Object.fromEntries(
      Object.entries(table).map(([key, of]) => [key, of?.map(({ name }) => name).toSorted()]),
    )
    expect(names).toMatchInlineSnapshot(`
      {
        "answer": [
          "post /v1/loops/{id}/pause",
          "post /v1/loops/{id}/stop",
          "post /v1/requests/{id}/answer",
          "post /v1/sessions/{id}/look",
          "post /v1/sessions/{id}/name",
        ],
        "look": [
          "get /v1/acts",
          "get /v1/insight",
          "get /v1/loops",
          "get /v1/loops/{id}",
          "get /v1/loops/{id}/history",
          "get /v1/requests",
          "get /v1/requests/{id}",
          "get /v1/sessions",
          "get /v1/sessions/{id}",
          "get /v1/sessions/{id}/explain",
          "get /v1/sessions/{id}/history",
          "get /v1/sessions/{id}/pane",
          "get /v1/sessions/{id}/screen",
          "get /v1/sessions/{id}/talk",
          "get /v1/sessions/{id}/timeline",
          "get /v1/sessions/{id}/typing",
        ],
        "not from afar": [
          "get /v1/audit",
          "get /v1/browsers",
          "get /v1/events",
          "get /v1/fleet",
          "get /v1/fleet/permissions",
          "get /v1/health",
          "get /v1/insight.csv",
          "get /v1/loops/{id}/state",
          "get /v1/metrics",
          "get /v1/openapi.json",
          "get /v1/reports",
          "get /v1/sessions/{id}/reports",
          "get /v1/stream",
          "post /v1/browsers/codes",
          "post /v1/browsers/sign-in",
          "post /v1/browsers/{id}/forget",
          "post /v1/fleet/allow",
          "post /v1/fleet/invite",
          "post /v1/fleet/join",
          "post /v1/fleet/leave",
          "post /v1/fleet/remove",
          "post /v1/fleet/serve",
          "post /v1/import",
          "post /v1/loops/answer",
          "post /v1/loops/begin",
          "post /v1/loops/import",
          "post /v1/reports",
          "post /v1/requests/outcome",
          "post /v1/sessions/{id}/jump",
          "post /v1/sessions/{id}/typing",
          "post /v1/stop",
          "post /v1/tunnels",
        ],
        "nothing": [
          "post /v1/fleet/left",
        ],
        "type": [
          "post /v1/loops",
          "post /v1/loops/{id}/resume",
          "post /v1/sessions/{id}/interrupt",
          "post /v1/sessions/{id}/keys",
          "post /v1/sessions/{id}/prompt",
        ],
      }
    `)
  })

  it('[FL125] of the fleet itself, every change is accepted over the socket alone', () => {
    const changes = routes().filter(({ name }) => name.startsWith('post /v1/fleet/'))
    expect(changes.length).toBeGreaterThan(5)
    for (const { name, access, afar } of changes) {
      expect([name, access]).toEqual([name, 'socket'])
      const isLeaving = name === 'post /v1/fleet/left'
      expect([name, afar]).toEqual([name, isLeaving ? 'nothing' : undefined])
    }
  })

  it('every route refuses a machine that has a lesser right', async () => {
    for (const route of routes())
      for (const given of FLEET_RIGHTS) {
        const { afar } = route
        const isEnough =
          afar !== undefined && FLEET_RIGHTS.indexOf(given) >= FLEET_RIGHTS.indexOf(afar)
        if (isEnough) continue
        const target = route.path.replaceAll(/\{\w+\}/g, 'x')
        const method = route.method === 'get' ? 'GET' : 'POST'
        const { status, body } = await here.app(
          requestOf({ method, target, body: {} }),
          memberWith(given),
        )
        expect([route.name, given, status]).toEqual([route.name, given, 403])
        expect(JSON.parse(String(body)).error).toMatch(/another machine|vigil fleet allow/)
      }
  })

  it('[FL124] starting a loop from afar takes nothing that would run or read there', async () => {
    const id = two.idThere
    for (const more of [
      { until: 'touch /tmp/x' },
      { source: { kind: 'command', command: 'id' } },
      { promptFile: '/etc/passwd' },
    ]) {
      const body = { session: `${OTHER_MACHINE}/${id}`, max: 2, patience: 0, prompt: 'go', ...more }
      const { status, json } = await here.post('/v1/loops', body)
      expect(status).toBe(409)
      expect(json.error).toContain('cannot be set from another machine')
    }
  })

  it('[FL183] starting a loop from afar needs typing to be on there', async () => {
    const id = two.idThere
    const body = { session: `${OTHER_MACHINE}/${id}`, max: 2, patience: 0, prompt: 'go' }
    const { status, json } = await here.post('/v1/loops', body)
    expect([status, json.error]).toEqual([409, expect.stringContaining('typing is off')])
    expect(there.loops.list({ all: true })).toEqual([])
    const { typing } = there.panes
    there.panes.typing = (session) => ({ ...typing.call(there.panes, session), on: true })
    expect((await here.post('/v1/loops', body)).status).toBe(200)
    expect(there.loops.list({ all: true })).toHaveLength(1)
  })
})

it('[FL121] an answer from afar names its request by address, and is logged', async () => {
  const at = two.asks()
  const { json } = await here.get(`/v1/requests?session=${addressOf('one')}`)
  const [{ id, at: shownAt, digest }] = json.requests
  expect([id.startsWith(`${OTHER_MACHINE}/hook.77@`), shownAt]).toEqual([true, at + 1 - AHEAD_MS])
  const answer = { choice: 'allow', shown: digest, where: 'cli' }
  const answered = () => here.post(`/v1/requests/${encodeURIComponent(id)}/answer`, answer)
  two.right = 'look'
  expect((await answered()).status).toBe(403)
  two.right = 'answer'
  expect((await answered()).status).toBe(200)
  expect((await answered()).status).toBe(409)
  const [act, ...others] = there.acts.list({ limit: 10 })
  expect([act?.what, act?.who]).toEqual(['answer', `laptop, machine m${'c3'.repeat(12)}`])
  expect(others).toEqual([])
})
