import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRoot } from '../platform/owners.ts'
import { POLICY_KEYS, type PolicyKey } from '../protocol/constants.ts'
import type { PolicyView } from '../protocol/daemon.ts'

/** SPEC WD20. The only place: no variable and no option of the user changes it. */
export const POLICY_FILE = '/etc/vigil/policy.json'

/** What each key forbids, in words for the user. */
const WORDS: Readonly<Record<PolicyKey, string>> = {
  answering: 'answering agents from here',
  typing: 'typing into sessions',
  loops: 'loops',
  channels: 'channels that send messages to other machines',
  sharing: 'sharing the page',
  fleet: 'showing sessions of other machines',
}

interface Options {
  /** For tests. */
  readonly file?: string
  readonly owner?: number
}

/** A list of six words; a longer file is no policy. */
const SIZE_MAX_BYTES = 65_536

/**
 * SPEC WD20–WD23. What the administrator of the machine allows. Read for each decision: one `lstat`
 * where nothing changed.
 */
export class AdminPolicy {
  readonly #file: string
  readonly #owner: number
  #seen: { readonly stamp: string; readonly view: PolicyView } | undefined

  constructor({ file = POLICY_FILE, owner = 0 }: Options = {}) {
    this.#file = file
    this.#owner = owner
  }

  get view(): PolicyView {
    const stamp = stampOf(this.#file)
    if (stamp === undefined || this.#seen?.stamp !== stamp)
      this.#seen = { stamp: stamp ?? '', view: this.#read() }
    return this.#seen.view
  }

  allows(key: PolicyKey): boolean {
    return this.view.allowed[key]
  }

  /** Why it is not allowed, in a sentence for the user; undefined where it is. */
  whyNot(key: PolicyKey): string | undefined {
    const { allowed, fault, file } = this.view
    if (allowed[key]) return undefined
    if (fault !== null) return `${WORDS[key]}: not allowed, because the policy is broken (${fault})`
    return `the administrator does not allow ${WORDS[key]} (${file})`
  }

  #read(): PolicyView {
    const file = this.#file
    try {
      const text = this.#trustedText()
      if (text === undefined) return { file, state: 'missing', fault: null, allowed: all(true) }
      return { file, state: 'in force', fault: null, allowed: allowedIn(text) }
    } catch (error) {
      const fault = `${file}: ${(error as Error).message}`
      return { file, state: 'broken', fault, allowed: all(false) }
    }
  }

  /** SPEC WD21. A file that another user could write or replace is not the administrator's. */
  #trustedText(): string | undefined {
    const folder = statOf(dirname(this.#file))
    if (!folder) return undefined
    if (!folder.isDirectory()) throw new Error('its folder is not a folder')
    this.#refuseForeign(folder, 'its folder')
    const found = statOf(this.#file)
    if (!found) return undefined
    if (!found.isFile()) throw new Error('is not a regular file')
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const handle = opened(this.#file, flags)
    try {
      const stats = fstatSync(handle)
      if (!stats.isFile()) throw new Error('is not a regular file')
      this.#refuseForeign(stats, 'it')
      if (stats.size > SIZE_MAX_BYTES) throw new Error(`is longer than ${SIZE_MAX_BYTES} bytes`)
      return readFileSync(handle, 'utf8')
    } finally {
      closeSync(handle)
    }
  }

  #refuseForeign({ uid, mode }: { uid: number; mode: number }, what: string): void {
    // In a restricted unit root's files look unowned; only root creates files below /etc.
    const isOwner = uid === this.#owner || (this.#owner === 0 && isRoot(uid))
    if (!isOwner) throw new Error(`${what} belongs to user ${uid}, not ${this.#owner}`)
    if ((mode & 0o022) !== 0) throw new Error(`${what} can be written by other users`)
  }
}

/** Everything that changes with the file, its permissions or its folder. */
function stampOf(file: string): string | undefined {
  try {
    return [dirname(file), file]
      .map((path) => lstatSync(path, { bigint: true }))
      .map(({ ino, ctimeNs, size, uid, mode }) => [ino, ctimeNs, size, uid, mode].join())
      .join(' ')
  } catch {
    return undefined
  }
}

function statOf(path: string) {
  try {
    return lstatSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Error(`cannot be read (${code})`)
  }
}

function opened(path: string, flags: number): number {
  try {
    return openSync(path, flags)
  } catch (error) {
    throw new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** SPEC WD22. A misspelt key must not count as a permission: then nothing is allowed. */
function allowedIn(text: string): PolicyView['allowed'] {
  const found: unknown = parsed(text)
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new Error(`expected an object with ${POLICY_KEYS.join(', ')}`)
  const allowed = all(true)
  for (const [key, value] of Object.entries(found)) {
    if (!isKey(key))
      throw new Error(`${JSON.stringify(key)}: no such key; expected ${POLICY_KEYS.join(', ')}`)
    if (typeof value !== 'boolean')
      throw new Error(`${key}: expected true or false, found ${JSON.stringify(value)}`)
    allowed[key] = value
  }
  return allowed
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
}

function isKey(key: string): key is PolicyKey {
  return (POLICY_KEYS as readonly string[]).includes(key)
}

function all(is: boolean): Record<PolicyKey, boolean> {
  return Object.fromEntries(POLICY_KEYS.map((key) => [key, is])) as Record<PolicyKey, boolean>
}
