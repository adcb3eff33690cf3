import { closeSync } from 'node:fs'
import { isObject } from '../core/loop/fields.ts'
import { errorCode, openRegular, readAt } from '../home/regular-file.ts'

/** A registry file has 500 bytes; a larger one is no client's. */
const REGISTRY_FILE_MAX_BYTES = 256 * 1024

export type RegistryRead =
  | { readonly is: 'absent' }
  /** Not JSON, for example when it is read while it is written. */
  | { readonly is: 'torn'; readonly why: string }
  | { readonly is: 'unusable'; readonly why: string }
  | { readonly is: 'whole'; readonly file: object }

export function readRegistryFile(path: string): RegistryRead {
  const opened = openRegular(path)
  if (opened.is === 'absent') return opened
  if (opened.is === 'odd') return unusable(`expected a file, found ${opened.what}`)
  if (opened.is === 'unreadable') return unusable(opened.why)
  const { fd, stats } = opened
  try {
    if (stats.size > REGISTRY_FILE_MAX_BYTES)
      return unusable(`larger than ${REGISTRY_FILE_MAX_BYTES} bytes`)
    const content = Buffer.alloc(Number(stats.size))
    return parse(content.toString('utf8', 0, readAt(fd, content, 0)))
  } catch (error) {
    return unusable(errorCode(error))
  } finally {
    closeSync(fd)
  }
}

function parse(text: string): RegistryRead {
  try {
    const file: unknown = JSON.parse(text)
    return isObject(file) ? { is: 'whole', file } : unusable('expected a JSON object, found other')
  } catch {
    return { is: 'torn', why: 'expected JSON, found something else' }
  }
}

function unusable(why: string): RegistryRead {
  return { is: 'unusable', why }
}
