import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CLIENT_PATH, clientOf, NEWEST } from '../../lab/clients.ts'
import { clientEnvironment, refuseRealKeys } from '../../lab/drive/environment.ts'
import type { Place } from '../../lab/drive/place.ts'
import { type Script, say, script, tool } from '../../lab/model/script.ts'
import type { Model } from '../../lab/model/server.ts'

export const TOOL_CALLS = 20

/** The newest client, or the client that `CLAUDE` names. */
export function benchClient(): string {
  refuseRealKeys(process.env)
  const client = process.env.CLAUDE ?? clientOf(NEWEST)
  if (!client) throw new Error(`no client: set CLAUDE, or node lab/clients.ts ${NEWEST}`)
  return client
}

interface Turn {
  readonly client: string
  readonly place: Place
  readonly model: Model
  readonly hooks: object
}

/** A turn lasts from its first request to its last; a run includes the client's start and end. */
export async function playTurn({ client, place, model, hooks }: Turn) {
  writeFileSync(join(place.home, '.claude/settings.json'), JSON.stringify({ hooks }))
  const before = model.requests.length
  const path = `${dirname(client)}:${CLIENT_PATH}`
  const env = clientEnvironment({ home: place.home, path, modelUrl: model.url })
  const began = performance.now()
  await ended(client, ['-p', 'read the files'], { env, cwd: place.project })
  const runMs = performance.now() - began
  const asked = model.requests.slice(before).filter(({ side, scripted }) => !side && scripted)
  const [first, last] = [asked[0], asked.at(-1)]
  if (!first || !last || asked.length !== TOOL_CALLS + 1)
    throw new Error(`turn: expected ${TOOL_CALLS + 1} requests, came ${asked.length}`)
  return { turnMs: last.t - first.t, runMs }
}

function ended(program: string, args: string[], options: { env: object; cwd: string }) {
  return new Promise<void>((resolve, reject) => {
    const env = options.env as NodeJS.ProcessEnv
    const child = spawn(program, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`client: ${said}`))))
  })
}

/** One tool in each reply: within one reply the client would run them in parallel. */
export function reading({ project }: Place): Script {
  const paths = Array.from({ length: TOOL_CALLS }, (_, i) => join(project, `file-${i}.txt`))
  for (const path of paths) writeFileSync(path, 'a few words\n')
  const [first = '', ...rest] = paths
  const begun = script('reading').on('read the files', tool('Read', { file_path: first }))
  return rest
    .reduce((so, path) => so.next(tool('Read', { file_path: path })), begun)
    .next(say('Done.'))
}
