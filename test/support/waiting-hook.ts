import { execFileSync } from 'node:child_process'
import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { ask } from '../../src/client/ask.ts'
import { waitingFolder } from '../../src/home/folders.ts'
import type { RequestOutcome } from '../../src/protocol/request.ts'
import { type DaemonHome, OWN, until } from './daemon.ts'
import { digestOf } from './spooled.ts'

/** A hook that waits, without a shell; gives what the daemon answers when told to ask. */
export async function waitingHook(home: DaemonHome, payload: object) {
  await until('hooks wait', () => home.hooksWait())
  const body = { report: home.nextReport, digest: digestOf(payload) }
  const word = nextWord(join(waitingFolder(home.folders), body.report))
  home.write(payload, { asks: 1 })
  const path = '/v1/requests/outcome'
  const told = word.then(async (said): Promise<RequestOutcome> => {
    if (said !== 'answer') return { act: 'nothing' }
    return JSON.parse(await ask(home.folders, { method: 'POST', path, body, silenceMaxMs: 10_000 }))
  })
  return { told, body }
}

/** What a failed test leaves open would be one of several requests in all that follow. */
export async function endRequests(home: DaemonHome): Promise<void> {
  const open = async () => {
    const { requests } = await home.client.requests()
    return requests.filter(({ session }) => session.startsWith(OWN))
  }
  for (const { session } of await open())
    home.write({ session_id: session, hook_event_name: 'Stop' })
  await until('nothing is asked', async () => (await open()).length === 0)
}

/** Waits in a named pipe of its own, as a hook does; gives the first line that is written there. */
function nextWord(path: string): Promise<string> {
  execFileSync('mkfifo', [path])
  const pipe = new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) })
  // A test that ends before anything is written must not wait for it.
  pipe.unref()
  return new Promise((resolve) => {
    let text = ''
    pipe.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      if (!text.includes('\n')) return
      pipe.destroy()
      resolve(text.slice(0, text.indexOf('\n')))
    })
  })
}
