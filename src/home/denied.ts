import { statSync } from 'node:fs'
import { shellWord } from '../core/shell-word.ts'
import type { Folders } from './folders.ts'

/**
 * SPEC I17. What to do where vigil has no access to its own folder, as after `sudo vigil`;
 * undefined for every other error.
 */
export function whyDenied(error: unknown, folders: Folders): string | undefined {
  const { code, path = '' } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM') return undefined
  const bases = outermost(folders)
  const base = bases.find((folder) => path === folder || isBelow(path, folder))
  if (base === undefined) return undefined
  const foreign = bases.filter((folder) => folder === base || isForeign(folder))
  const whose = isForeign(base) || isForeign(path) ? ' belongs to another user' : ''
  const cure = whose ? `sudo chown -R ${process.getuid?.()}` : 'chmod -R u+rwX'
  const what = `${path}${whose || ' cannot be used'} (${code})`
  return `${what}${whose && ', as after `sudo vigil`'}; ${cure} ${foreign.map(shellWord).join(' ')}`
}

/** vigil's own folders, without those inside another of them. */
export function outermost({ data, state, config, cache, run }: Folders): readonly string[] {
  const all = [...new Set([data, state, config, cache, run])]
  return all.filter((one) => !all.some((other) => isBelow(one, other)))
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

function isForeign(path: string): boolean {
  try {
    return statSync(path).uid !== process.getuid?.()
  } catch {
    return false
  }
}
