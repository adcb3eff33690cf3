/** A broken entry in one of these two keeps the client from running any hook of the file. */
const DELICATE = ['PreToolUse', 'PermissionRequest']

/** The event whose broken entry silences all others, if there is one. */
export function brokenEvent(hooks: unknown): string | undefined {
  if (!isObject(hooks)) return undefined
  return DELICATE.find((event) => hooks[event] !== undefined && !areSound(hooks[event]))
}

function areSound(groups: unknown): boolean {
  if (!Array.isArray(groups)) return false
  return groups.every((group) => {
    if (!isObject(group) || !Array.isArray(group.hooks)) return false
    if (group.matcher !== undefined && typeof group.matcher !== 'string') return false
    return group.hooks.every(isSound)
  })
}

/** The required fields of each type of hook. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
  prompt: ['prompt'],
  agent: ['prompt'],
}

function isSound(hook: unknown): boolean {
  if (!isObject(hook)) return false
  const { type, timeout } = hook
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) return false
  const needs = typeof type === 'string' && Object.hasOwn(NEEDS, type) ? NEEDS[type] : undefined
  return needs?.every((name) => typeof hook[name] === 'string') === true
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
