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

/**
 * SPEC FL80. What a view calls a session: its id alone on the daemon's own machine, else its
 * address, because two machines may have sessions of one id.
 */
export function keyOf(session: {
  readonly machine: string
  readonly id: string
  readonly own: boolean
}): string {
  return session.own ? session.id : addressOf(session)
}

/** SPEC FL80. The row under the name by which views and requests to the daemon know it. */
export function keyedRow<
  T extends { readonly machine: string; readonly id: string; readonly own: boolean },
>(session: T): T {
  return session.own ? session : { ...session, id: addressOf(session) }
}

/** SPEC FL80. A loop of a session by the session's key, as the API takes it. */
export function keyBeside({ id, session }: { readonly id: string; readonly session: string }) {
  const { machine } = readAddress(session)
  return machine === undefined ? id : addressOf({ machine, id })
}

/** SPEC MA5. A session's id may have slashes: only a machine's id before the first one counts. */
export function readAddress(text: string): SessionName {
  const [, machine, session = text] = ADDRESS.exec(text) ?? []
  return { machine, session }
}
