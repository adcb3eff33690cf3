import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { UNNAMED_AGENT } from '../../../agents/index.ts'
import type { Client } from '../../../client/client.ts'
import { COMMAND } from '../../../client/start.ts'
import { hookOf, renderedHook } from '../../../install/scripts.ts'
import type { CheckContext } from './context.ts'
import { lastReportId } from './log-pages.ts'

const TIMES = 5
/** Far more than a busy machine needs: a report that has not arrived by then is lost. */
const COME_MAX_MS = 5_000
const LOOK_MS = 2
/** Users notice a delay of a second. */
const SLOW_MS = 1_000

/** The time from the start of a hook until its report is in the log, by the API. */
export async function checkRoundTrip(context: CheckContext): Promise<CheckFinding> {
  const about = 'round trip'
  const { folders, daemon } = context
  if (!daemon)
    return finding.warning(
      about,
      'not measured: the daemon is not running',
      'fix the daemon first, see above',
    )
  const { client } = daemon
  const installed = installedHook(context)
  const temporary = installed ? undefined : mkdtempSync(join(tmpdir(), 'vigil-hook-'))
  const script = installed ?? join(temporary ?? '', 'vigil-hook')
  try {
    const own = { node: process.execPath, vigil: COMMAND }
    if (temporary) writeFileSync(script, renderedHook(folders, UNNAMED_AGENT, own), { mode: 0o700 })
    const took: number[] = []
    for (let n = 0; n < TIMES; n++) {
      const come = await once(script, client)
      if ('failed' in come)
        return finding.problem(
          about,
          `${script}: ${come.failed}`,
          `run \`vigil install\`; check for old files in ${folders.spool}, and read ${folders.log}`,
        )
      took.push(come.ms)
    }
    return judged(took, temporary !== undefined)
  } finally {
    if (temporary) rmSync(temporary, { recursive: true, force: true })
  }
}

function installedHook({ folders, agents }: CheckContext): string | undefined {
  const hooks = agents.map(({ agent }) => hookOf(folders, agent.id))
  return hooks.find((hook) => existsSync(hook))
}

function judged(took: readonly number[], temporary: boolean): CheckFinding {
  const sorted = took.toSorted((a, b) => a - b)
  const medianMs = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
  const whose = temporary ? 'a hook like the one that vigil install writes' : 'the installed hook'
  const what = `${medianMs} ms from hook to log (median of ${took.length}, ${whose})`
  const figures = { medianMs, ms: took.map(Math.round) }
  if (medianMs <= SLOW_MS) return finding.ok('round trip', what, { figures })
  const todo = 'check what else keeps the machine or its disk busy'
  return finding.warning('round trip', what, todo, { figures })
}

type Come = { readonly ms: number } | { readonly failed: string }

/** The report is about no session, so it changes nothing. */
async function once(script: string, client: Client): Promise<Come> {
  const nonce = randomUUID()
  const after = await lastReportId(client)
  const begun = performance.now()
  const failed = await feed(script, JSON.stringify({ vigil_probe: nonce }))
  if (failed !== undefined) return { failed }
  for (; performance.now() - begun < COME_MAX_MS; await sleep(LOOK_MS)) {
    const { reports } = await client.reports({ source: 'hook', after })
    const come = reports.some(({ report }) => isProbe(report.payload, nonce))
    if (come) return { ms: performance.now() - begun }
  }
  return { failed: `the report did not reach the log within ${COME_MAX_MS / 1000} s` }
}

function isProbe(payload: unknown, nonce: string): boolean {
  return (payload as { vigil_probe?: unknown } | null)?.vigil_probe === nonce
}

/** Without the variables that tell a hook its agent and its pane. */
function feed(script: string, payload: string): Promise<string | undefined> {
  const { PATH, HOME } = process.env
  return new Promise((resolve) => {
    const child = spawn(script, { stdio: ['pipe', 'ignore', 'ignore'], env: { PATH, HOME } })
    child.on('error', ({ message }) => resolve(`cannot be started (${message})`))
    child.on('exit', () => resolve(undefined))
    child.stdin.on('error', () => {})
    child.stdin.end(`${payload}\n`)
  })
}
