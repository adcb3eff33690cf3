import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/daemon/api/app.ts'
import { unixEndpoint } from '../../src/daemon/api/endpoint.ts'
import { VIEWERS_MAX, WATCHES_MAX } from '../../src/daemon/panes/limits.ts'
import { LocalPanes } from '../../src/daemon/panes/panes.ts'
import type { Viewing } from '../../src/daemon/panes/viewing.ts'
import { inProcess } from '../api/in-process.ts'
import { seenFleet } from '../api/support.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { aSession } from '../support/sessions.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { Paper } from './paper.ts'

const TOKEN = '5'.repeat(64)
const fleet = seenFleet()
const payload = { session_id: 'bare', hook_event_name: 'SessionStart', source: 'startup' }
fleet.play([{ t: fleet.now + 1, source: 'hook', payload }])
const app = createApp(fleet, unixEndpoint(TOKEN), { now: () => fleet.now })

/** As the socket asks. */
async function post(part: string, body: unknown, id = 'bare') {
  const text = JSON.stringify(body)
  const response = await inProcess(app, `/v1/sessions/${id}/${part}`, {
    method: 'POST',
    headers: {
      host: 'vigil',
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'x-vigil': '1',
    },
    body: text,
  })
  return { status: response.status, json: (await response.json()) as { error: string } }
}

describe('what is asked of panes', () => {
  const where = 'cli'
  it.each<[string, string, object]>([
    ['a control character', 'keys', { keys: [{ text: 'a\x1b[A' }], where }],
    ['a line break among letters', 'keys', { keys: [{ text: 'a\r' }], where }],
    ['a key of no known name', 'keys', { keys: [{ key: 'F1; kill-server' }], where }],
    ['an option', 'keys', { keys: [{ key: '-X' }], where }],
    ['the end of a paste', 'keys', { keys: [{ paste: 'a\x1b[201~b' }], where }],
    ['something else', 'keys', { keys: [{ press: 'a' }], where }],
    ['nothing', 'keys', { keys: [], where }],
    ['too many', 'keys', { keys: Array.from({ length: 201 }, () => ({ key: 'Up' })), where }],
    ['too long', 'keys', { keys: [{ text: 'x'.repeat(2_001) }], where }],
    ['an empty prompt', 'prompt', { text: ' \n ', where }],
    ['a prompt too long', 'prompt', { text: 'x'.repeat(20_001), where }],
    ['a prompt with keys in it', 'prompt', { text: 'a\x03', where }],
    ['a place that is none', 'prompt', { text: 'a', where: 'daemon' }],
    ['a switch that is none', 'typing', { on: 'yes', where }],
    ['nobody', 'interrupt', {}],
  ])('[PA11] %s is refused before anything is looked at', async (_, part, body) => {
    const { status, json } = await post(part, body)
    expect([status, json.error]).toEqual([400, expect.stringMatching(/^body/)])
  })

  it('[PA8] where there is no pane nothing is turned on', async () => {
    const on = await post('typing', { on: true, where })
    expect([on.status, on.json.error]).toEqual([409, 'the session is not in tmux'])
    expect((await post('typing', { on: false, where })).status).toBe(200)
    expect((await post('prompt', { text: 'go', where })).status).toBe(409)
    expect((await post('typing', { on: true, where }, 'nobody')).status).toBe(404)
    expect(fleet.acts.list({ limit: 10 })).toEqual([])
  })
})

describeUnless(NO_TMUX)('many viewers', () => {
  let tmux: PrivateTmux
  let panes: LocalPanes
  afterEach(async () => {
    panes.close()
    await tmux.end()
  })

  it('[PA7] are at most so many, of so many panes, and make room when they leave', async () => {
    tmux = new PrivateTmux()
    tmux.session('work')
    const papers = Array.from(
      { length: WATCHES_MAX + 1 },
      (_, i) => new Paper(tmux, 'work:', `p${i}`),
    )
    panes = new LocalPanes({
      session: (id) => {
        const paper = papers[Number(id)]
        const where = paper && { tmuxPane: paper.pane, tmuxSocket: tmux.socket(), pid: paper.pid }
        return where && aSession({ id, ...where })
      },
      acts: { note: (act) => ({ ...act, id: 1, at: 0 }) },
      now: Date.now,
      complain: () => {},
    })
    const viewings: Viewing[] = []
    for (let i = 0; i < WATCHES_MAX; i++) viewings.push(await panes.view(String(i), () => {}))
    const another = () => panes.view(String(WATCHES_MAX), () => {})
    await expect(another()).rejects.toMatchObject({ name: 'Problem', status: 503 })
    viewings[0]?.end()
    viewings[0] = await another()
    while (viewings.length < VIEWERS_MAX) viewings.push(await panes.view('1', () => {}))
    await expect(panes.view('1', () => {})).rejects.toMatchObject({ status: 503 })
    viewings.pop()?.end()
    await panes.view('1', () => {})
    for (const paper of papers) paper.close()
  })
})
