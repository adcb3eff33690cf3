/** SPEC MA5. A session's address, valid on every machine: `<machine>/<session>`. */
export type SessionAddress = `${string}/${string}`

/** A session as given by a caller: its address, or its id alone, which means this machine. */
export interface SessionName {
  readonly machine: string | undefined
  readonly session: string
}

const MACHINE_ID = /^m[0-9a-f]{24}$/
const ADDRESS = new RegExp(`^(${MACHINE_ID.source.slice(1, -1)})/(.+)$`, 's')

export function isMachineId(text: string): boolean {
  return MACHINE_ID.test(text)
}

export function addressOf({
  machine,
  id,
}: {
  readonly machine: string
  readonly id: string
}): SessionAddress {
  return `${machine}/${id}`
}

/** SPEC MA5. A session's id may have slashes: only a machine's id before the first one counts. */
export function readAddress(text: string): SessionName {
  const [, machine, session = text] = ADDRESS.exec(text) ?? []
  return { machine, session }
}
