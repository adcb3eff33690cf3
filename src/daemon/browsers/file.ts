import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { writePrivate } from '../../home/private-file.ts'
import type { HeldOrigin } from '../origin/hold.ts'

/** A browser that signed in. Only the hash of its key is stored. */
export interface StoredBrowser {
  readonly id: string
  readonly name: string
  readonly hash: string
  /** The address it signed in under: its key is invalid under any other. */
  readonly origin: string
  readonly madeAt: number
  seenAt: number
}

const FILE = z.object({
  hold: z.object({ origin: z.string().max(300), sockets: z.string().max(300) }).optional(),
  browsers: z.array(
    z.object({
      id: z.string().regex(/^[0-9a-f]{8}$/),
      name: z.string().min(1).max(100),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      origin: z.string().max(300),
      madeAt: z.number(),
      seenAt: z.number(),
    }),
  ),
})

export interface StoredBrowsers {
  /** The page's address on this machine, and the sockets behind it, when this was written. */
  readonly hold?: HeldOrigin | undefined
  readonly browsers: StoredBrowser[]
}

/**
 * SPEC DR6. The content of the file. An unexpected content signs no browser in: a browser signs in
 * again with one command, and a file that another user wrote must grant no access.
 */
export function readBrowsers(path: string): StoredBrowsers & { readonly fault?: string } {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const fault = faultOf(file)
      if (fault !== undefined) return { browsers: [], fault: `${path}: ${fault}` }
      return FILE.parse(JSON.parse(readFileSync(file, 'utf8')))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { browsers: [] }
    return { browsers: [], fault: `${path}: cannot be read (${code ?? 'not as expected'})` }
  }
}

/** A user who can write the file could sign in. */
function faultOf(file: number): string | undefined {
  const { uid, mode } = fstatSync(file)
  const own = process.getuid?.() ?? uid
  if ((mode & constants.S_IFMT) !== constants.S_IFREG) return 'is no file'
  if (uid !== own) return `belongs to user ${uid}`
  return (mode & 0o022) !== 0 ? 'others can write it' : undefined
}

export function writeBrowsers(path: string, kept: StoredBrowsers): void {
  writePrivate(path, `${JSON.stringify(kept, null, 2)}\n`)
}
