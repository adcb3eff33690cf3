import type { Logs } from '../../../src/agents/agent.ts'
import type { LastWords } from '../../../src/agents/records.ts'

const TALES = '/tales/'

/** `<home>/tales/<year>/<month>/<tale>.tale`. */
export const logs: Omit<Logs, 'isLog'> = {
  rootOf: (home) => `${home}/tales`,
  homeOf: (path) => {
    const at = path.lastIndexOf(TALES)
    return at > 0 ? path.slice(0, at) : undefined
  },
  depth: 2,
  suffix: '.tale',
}

export function isLog(root: string, path: string): boolean {
  return path.startsWith(`${root}/`) && /^\d+\/\d+\/[\w-]+\.tale$/.test(path.slice(root.length + 1))
}

export function taleOf(path: string): string | undefined {
  return /\/([\w-]+)\.tale$/.exec(path)?.[1]
}

export interface Entry {
  readonly at: number
  readonly word: string
  readonly rest: string
}

/** `1790000000000 says Once upon a time`. */
export function entryOf(line: string): Entry | undefined {
  const [, at, word = '', rest = ''] = /^(\d{13}) ([a-z]+)(?: (.*))?$/.exec(line) ?? []
  return at === undefined ? undefined : { at: Number(at), word, rest }
}

export function talk(lines: readonly string[]): LastWords {
  const said = lines.map(entryOf).flatMap((entry) => (entry?.word === 'says' ? entry.rest : []))
  return { said: said.slice(-3), call: null }
}
