import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { fileNames } from '../../../home/plain-file.ts'
import { ageOf } from '../../../view/session.ts'
import type { CheckContext } from './context.ts'

/** The daemon reads thousands a second: this many waiting reports mean that it does not keep up. */
const BACKLOG_MAX = 1_000

export function checkStore(context: CheckContext): CheckFinding[] {
  return [checkLog(context), checkSpool(context), ...checkRejected(context)]
}

function checkLog({ daemon, folders }: CheckContext): CheckFinding {
  if (!daemon) {
    const bytes = statSync(folders.database, { throwIfNoEntry: false })?.size
    return finding.ok(
      'store',
      bytes === undefined ? 'none yet' : `${sized(bytes)} at ${folders.database}`,
    )
  }
  const { store, now } = daemon.health
  const { bytes, reports, changes, oldestAt, path } = store
  const since = oldestAt === null ? '' : `, the oldest ${ageOf(now - oldestAt)} old`
  const what = `${sized(bytes)}, ${reports} reports, ${changes} changes${since}`
  return finding.ok('store', what, { figures: { path, bytes, reports, changes, oldestAt } })
}

function checkSpool({ daemon, folders }: CheckContext): CheckFinding {
  const waiting = fileNames(folders.spool).length
  const figures = { waiting }
  const what = `${waiting} ${waiting === 1 ? 'report waits' : 'reports wait'} in the spool`
  if (daemon && waiting > BACKLOG_MAX)
    return finding.warning('spool', what, `if their number does not fall, read ${folders.log}`, {
      figures,
    })
  if (!daemon && waiting > 0)
    return finding.warning('spool', what, 'the daemon reads them when it starts', { figures })
  return finding.ok('spool', what, { figures })
}

function checkRejected({ folders }: CheckContext): CheckFinding[] {
  const folder = join(dirname(folders.spool), 'rejected')
  const count = fileNames(folder).length
  if (count === 0) return []
  const what = `${count} ${count === 1 ? 'file was' : 'files were'} malformed and set aside`
  const todo = `look at them in ${folder}, then delete them; ${folders.log} has the reasons`
  return [finding.warning('spool', what, todo, { figures: { rejected: count } })]
}

function sized(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
