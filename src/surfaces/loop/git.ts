import { pathTo, trustedPath } from '../../platform/programs.ts'
import { cleanLine } from './clean.ts'
import { gitSettings, HARDENED, overridesOf, RUNNING_KEYS } from './git-config.ts'
import { runGroup } from './run-group.ts'

/** A checkout of a large repository takes minutes. */
const GIT_MAX_MS = 300_000
const OUTPUT_MAX_BYTES = 4_000_000

export interface GitOutput {
  readonly ok: boolean
  readonly exitCode: number | null
  readonly out: string
  readonly why: string
}

/** Runs one git command without a shell: a title must not become a command. */
export function git(cwd: string, ...args: readonly string[]): Promise<GitOutput> {
  return gitIn([cwd], ...args)
}

/**
 * SPEC PF8. The only place that runs git: git runs no program that a repository names. The first
 * folder is the working directory; the others are working trees that the command reads as well,
 * whose settings may differ, as by `includeIf`.
 */
export async function gitIn(
  [cwd, ...others]: readonly [string, ...string[]],
  ...args: readonly string[]
): Promise<GitOutput> {
  const found: string[] = []
  for (const folder of [cwd, ...others]) {
    const overrides = await overridesIn(folder)
    if ('why' in overrides) return { ok: false, exitCode: null, out: '', why: overrides.why }
    found.push(...overrides.found)
  }
  return run(cwd, [...HARDENED, ...found], args)
}

async function overridesIn(
  folder: string,
): Promise<{ readonly found: readonly string[] } | { readonly why: string }> {
  const args = ['--show-scope', '--includes', '-z', '--get-regexp', RUNNING_KEYS]
  const said = await run(folder, HARDENED, ['config', ...args])
  // It exits with 1 if there are none; the command itself reports other errors, too.
  if (said.exitCode === 129) return { why: 'git config: vigil needs git 2.26 or newer' }
  if (!said.ok) return said.exitCode === 1 ? { found: [] } : { why: said.why }
  const found = overridesOf(gitSettings(said.out))
  if (found) return { found }
  return { why: `git: the settings of ${folder} name a program in a way vigil cannot turn off` }
}

async function run(
  cwd: string,
  settings: readonly string[],
  args: readonly string[],
): Promise<GitOutput> {
  const options = { cwd, env: gitEnv(), timeoutMs: GIT_MAX_MS, keptBytesMax: OUTPUT_MAX_BYTES }
  const whole = [...settings.flatMap((setting) => ['-c', setting]), ...args]
  const ran = await runGroup(pathTo('git'), whole, options)
  const { exitCode, stdout, stderr, timedOut, trouble, cut } = ran
  const late = timedOut ? `did not end within ${GIT_MAX_MS / 1000} s` : undefined
  // Half a list must not be taken for a whole one.
  const long = cut ? `printed more than ${OUTPUT_MAX_BYTES / 1_000_000} MB` : undefined
  const why = trouble ?? late ?? long ?? (cleanLine(stderr, 300) || `exit code ${exitCode}`)
  return { ok: exitCode === 0 && !cut, exitCode, out: stdout.trim(), why: `git ${args[0]}: ${why}` }
}

/**
 * The environment for git and for programs that call it, such as gh. Git's variables may name
 * another repository, as within a git hook, or programs; the agent's project may have set them.
 */
function gitEnv(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(GIT|SSH_ASKPASS)/.test(name))
  return {
    ...Object.fromEntries(own),
    PATH: trustedPath(),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // A repository that fetches missing objects on demand would choose the server and the program.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  }
}

/** The same settings for a program that calls git by itself. */
export function hardenedEnv(): NodeJS.ProcessEnv {
  const pairs = HARDENED.flatMap((setting, n) => {
    const at = setting.indexOf('=')
    return [
      [`GIT_CONFIG_KEY_${n}`, setting.slice(0, at)],
      [`GIT_CONFIG_VALUE_${n}`, setting.slice(at + 1)],
    ]
  })
  const count = { GIT_CONFIG_COUNT: String(HARDENED.length) }
  return { ...gitEnv(), ...Object.fromEntries(pairs), ...count }
}
