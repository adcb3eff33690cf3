/** Writing JSON recurses: this is far beyond any client's nesting, far below the stack's limit. */
export const NESTING_MAX = 200

/**
 * Makes parsed JSON safe to copy and to write: renames own `__proto__` keys, which an assignment
 * would use as a prototype, and returns false when it nests too deep. Walks without recursion.
 */
export function makeJsonSafe(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > NESTING_MAX) return false
    const below: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      if (Object.hasOwn(one, '__proto__')) rename(one)
      for (const inner of Object.values(one))
        if (typeof inner === 'object' && inner !== null) below.push(inner)
    }
    level = below
  }
  return true
}

/** SPEC SH1. Stored under another name: an agent's request is shown with every field. */
function rename(one: object): void {
  const { value } = Object.getOwnPropertyDescriptor(one, '__proto__') ?? {}
  Reflect.deleteProperty(one, '__proto__')
  let name = '[__proto__]'
  while (Object.hasOwn(one, name)) name = `[${name}]`
  Object.defineProperty(one, name, { value, enumerable: true, writable: true, configurable: true })
}
