import type { CheckFinding } from '../../agents/finding.ts'
import type { AgentServer, ServerCheck } from '../../agents/servers.ts'
import { parseJson } from '../../core/json.ts'
import { ownSocket } from './own-socket.ts'
import { UnixWebSocket } from './socket.ts'

/** A busy daemon answers some hundred questions within a second. */
const WITHIN_MS = 8_000

/** Nothing listens: the server has ended, and its socket was left. */
const GONE = /ECONNREFUSED|ENOENT/

/** What a check finds at the server of a home; none where there is no server. */
export function checkServer(
  { socketOf, check: checkOf }: AgentServer,
  home: string,
  hook: string,
): Promise<CheckFinding | undefined> {
  const { path, why } = ownSocket(socketOf(home))
  const check = checkOf?.(hook)
  if (check && path !== undefined) return conversed(path, check)
  return Promise.resolve(why === undefined ? undefined : check?.silent(why))
}

function conversed(path: string, check: ServerCheck): Promise<CheckFinding | undefined> {
  return new Promise((resolve) => {
    const end = (found: CheckFinding | undefined) => {
      clearTimeout(timer)
      socket.close()
      resolve(found)
    }
    const send = (messages: readonly object[]) => {
      for (const message of messages) socket.send(JSON.stringify(message))
    }
    const timer = setTimeout(() => end(check.silent('its answers are late')), WITHIN_MS)
    const socket = new UnixWebSocket(path, {
      onOpen: () => send(check.open()),
      onText: (text) => {
        const next = check.take(parseJson(text))
        if (next === undefined) end(check.found())
        else send(next)
      },
      onEnd: (why) => end(GONE.test(why) ? undefined : check.silent(why)),
    })
  })
}
