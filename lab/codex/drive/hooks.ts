import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOOKED_EVENTS, handlerOf } from '../../../src/agents/codex/events.ts'
import type { Place } from '../../drive/place.ts'

/** A hook of the user's: a shell script, and how long it may take. */
export interface OwnHook {
  readonly script: string
  readonly timeoutS?: number
}

interface Handler {
  readonly type: 'command'
  readonly command: string
  readonly async?: boolean
  readonly timeout?: number
}

type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly Handler[] }[]>>

export function codexHome(place: Place): string {
  return join(place.home, '.codex')
}

export function inboxOf(place: Place): string {
  return join(place.root, 'inbox')
}

/**
 * The recorder's hooks, for the events that vigil has, and waited for where vigil's are: the
 * recording holds what vigil would be given. The user's own stand behind.
 */
export function hooksFor(
  place: Place,
  own: Readonly<Record<string, OwnHook>> = {},
  isHooked = true,
): Hooks {
  mkdirSync(inboxOf(place), { recursive: true })
  const script = join(place.root, 'note-hook.sh')
  const noted = '{ echo "$PPID $TMUX_PANE"; cat; echo; echo .; }'
  const text = `${noted} > '${inboxOf(place)}/hook.'$$\n`
  writeFileSync(script, `#!/bin/sh\n${text}`, { mode: 0o755 })
  const events = new Set([...(isHooked ? HOOKED_EVENTS : []), ...Object.keys(own)])
  const groups = [...events].map((event) => {
    const known = HOOKED_EVENTS.filter((name) => isHooked && name === event)
    const hooks = known.map((name) => handlerOf(name, script))
    return [event, [{ hooks: [...hooks, ...ownHandlers(place, event, own[event])] }]]
  })
  return Object.fromEntries(groups)
}

function ownHandlers(place: Place, event: string, own: OwnHook | undefined): Handler[] {
  if (!own) return []
  const command = join(place.root, `own-${event}.sh`)
  writeFileSync(command, `#!/bin/sh\n${own.script}\n`, { mode: 0o755 })
  return [{ type: 'command', command, timeout: own.timeoutS ?? 30 }]
}

export function writeHooks(place: Place, hooks: Hooks): void {
  writeFileSync(join(codexHome(place), 'hooks.json'), JSON.stringify({ hooks }, null, 2))
}

/** The marks in config.toml by which the client trusts these hooks. */
export function trustOf(place: Place, hooks: Hooks): string {
  const file = join(codexHome(place), 'hooks.json')
  const marks = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group, at) =>
      group.hooks.map((handler, index) => {
        const name = event.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
        const key = `[hooks.state."${file}:${name}:${at}:${index}"]`
        return `${key}\ntrusted_hash = "sha256:${markOf(name, handler)}"\n`
      }),
    ),
  )
  return marks.join('')
}

function markOf(name: string, { type, command, async = false, timeout = 600 }: Handler): string {
  const hook = { event_name: name, hooks: [{ async, command, timeout, type }] }
  return createHash('sha256').update(JSON.stringify(hook)).digest('hex')
}
