/** A setting of git, with its origin. */
interface Setting {
  readonly isOwn: boolean
  readonly key: string
  readonly value: string
}

/**
 * Settings by which a repository makes git run a program, each with a harmless value. A merge
 * driver that does nothing would call every merge clean.
 */
const RUNNING: readonly (readonly [RegExp, string])[] = [
  [/^filter\..*\.(clean|smudge|process)$/, ''],
  [/^filter\..*\.required$/, 'false'],
  [/^merge\..*\.driver$/, 'exit 1'],
  [/^hook\..*\.command$/, ''],
  [/^hook\..*\.enabled$/, 'false'],
  [/^lfs\.(standalonetransferagent|customtransfer\..*\.path|extension\..*\.\w+)$/i, ''],
  [/^credential\.(.*\.)?helper$/, ''],
]

/** For `git config --get-regexp`; the code below compares the exact names. */
export const RUNNING_KEYS = '^(filter|merge|hook|lfs|credential)\\.'

/** Used in every call. The command line overrides a repository's settings. */
export const HARDENED: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.sshCommand=false',
  'core.askPass=false',
  'core.gitProxy=false',
  'core.pager=cat',
  'core.editor=false',
  'gpg.program=false',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
]

/** Parses `git config --show-scope -z --get-regexp`: scope, NUL, key, newline, value, NUL. */
export function gitSettings(text: string): readonly Setting[] {
  const parts = text.split('\0')
  const settings: Setting[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = '', ...value] = (parts[at + 1] ?? '').split('\n')
    const isOwn = parts[at] === 'local' || parts[at] === 'worktree'
    settings.push({ isOwn, key, value: value.join('\n') })
  }
  return settings
}

/**
 * SPEC PF8. For each program in the repository's own settings: the values from the user's and the
 * machine's settings, as if the repository had none. So the user's git-lfs keeps working. Undefined
 * for a name that cannot be given on the command line.
 */
export function overridesOf(settings: readonly Setting[]): readonly string[] | undefined {
  const overrides: string[] = []
  const own = new Set(settings.filter(({ isOwn }) => isOwn).map(({ key }) => key))
  for (const key of own) {
    const neutral = RUNNING.find(([name]) => name.test(key))?.[1]
    if (neutral === undefined) continue
    if (/[=\n]/.test(key)) return undefined
    const others = settings.filter((one) => one.key === key && !one.isOwn).map((one) => one.value)
    // An empty value first: for settings that add up it removes all earlier values.
    const values = others.length > 0 ? ['', ...others] : [neutral]
    overrides.push(...values.map((value) => `${key}=${value}`))
    if (/^hook\./.test(key)) overrides.push(key.replace(/\.[^.]*$/, '.enabled=false'))
  }
  return overrides
}
