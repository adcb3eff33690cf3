import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { absentHere, leftOut } from './absent.ts'
import type { Outcome } from './outcome.ts'
import type { SecondTries } from './second-tries.ts'
import { runWithSecondTry } from './second-try.ts'
import { SLOW_SET, type TestSet, VERIFY_SET } from './sets.ts'
import { runVitest } from './vitest.ts'

export interface Ended {
  readonly code: number
  readonly outcomes?: readonly Outcome[]
  /** What could not be fetched, in words. */
  readonly lacks?: readonly string[]
}

export type Step = (args: readonly string[], report: SecondTries) => Ended | Promise<Ended>

export const STEPS = {
  lint: () => npm('lint'),
  types: () => npm('types'),
  dead: () => npm('dead'),
  page: () => node('tools/page.ts'),
  clients: () => beginClients()(),
  /** Once: a unit test that fails now and then is a defect. */
  unit: (args) => runVitest(args),
  slow: (args, report) => runSet(SLOW_SET, args, report),
  rest: (args, report) => runSet(VERIFY_SET, args, report),
  /** The unit tests simulate the first two hundred of them. */
  fleets: () => npm('sim:fleet', '--', '--seeds', '1000'),
  gate: () => npm('lab:gate'),
  gateOther: () => npm('lab:gate:codex'),
  /** SPEC PT13. As macOS has it: seven conversations, the others differ in nothing here. */
  portable: () => npm('lab:portable'),
  /** An eighth of the breakages, another one with each commit: all take 40 minutes. */
  mutants: () => npm('mutants', '--', `${(commit() % 8) + 1}/8`),
} satisfies Record<string, Step>

export type StepName = keyof typeof STEPS

/** What `npm test` does. */
export const TEST = ['lint', 'types', 'dead', 'page', 'clients', 'unit', 'slow'] as const

/** What `npm run verify` does besides. */
export const EVERYTHING = ['rest', 'fleets', 'gate', 'gateOther', 'portable', 'mutants'] as const

/** What the machine lacks is left out, and named last; in CI nothing may be missing. */
function runSet(set: TestSet, args: readonly string[], report: SecondTries): Ended {
  const absent = process.env.CI_CLIENTS === '1' ? [] : absentHere()
  const without = absent.flatMap(({ files }) => files.flatMap((pattern) => ['--exclude', pattern]))
  const given = ['--config', set.config, ...without, ...(absent.length > 0 ? [NONE_IS_FINE] : [])]
  const { code, outcomes } = runWithSecondTry([...given, ...args], report)
  return { code, outcomes: [...outcomes, ...absent.flatMap((one) => leftOut(one, set))] }
}

const NONE_IS_FINE = '--passWithNoTests'

/** `lab/fetch.ts` ends so where the network is the reason. */
const NO_NETWORK = 3

/** Steps that begin at once where others go before them; each is waited for in its turn. */
export function beginEarly(names: readonly StepName[]): Partial<Record<StepName, Step>> {
  return names.indexOf('clients') > 0 ? { clients: beginClients() } : {}
}

/** It waits for the network; the few lines it prints may stand among those of other steps. */
function beginClients(): () => Promise<Ended> {
  const child = spawn(process.execPath, ['lab/fetch.ts'], { stdio: 'inherit' })
  const closed = once(child, 'close')
  return async () => {
    const [code] = await closed
    if (code !== NO_NETWORK || process.env.CI_CLIENTS === '1') return { code: code ?? 1 }
    return { code: 0, lacks: ['no network: the agents’ clients could not be fetched'] }
  }
}

function commit(): number {
  return Number.parseInt(execFileSync('git', ['rev-parse', '--short=6', 'HEAD'], UTF8), 16)
}

const UTF8 = { encoding: 'utf8' } as const

function npm(script: string, ...args: readonly string[]): Ended {
  return ended('npm', ['run', '--silent', script, ...args])
}

function node(...args: readonly string[]): Ended {
  return ended(process.execPath, args)
}

function ended(command: string, args: readonly string[]): Ended {
  return { code: spawnSync(command, args, { stdio: 'inherit' }).status ?? 1 }
}
