import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { ownVersion } from '../../../home/version.ts'
import { ageOf } from '../../../view/session.ts'
import type { CheckContext } from './context.ts'

export function checkDaemon({ daemon, absence, folders }: CheckContext): CheckFinding[] {
  if (!daemon)
    return [
      finding.problem(
        'daemon',
        `no daemon is running, and none could be started: ${absence}`,
        `run \`vigil daemon\` to see the error; its log is ${folders.log}`,
      ),
    ]
  const { health } = daemon
  const { pid, version, startedAt, now, address, durable, sessions } = health
  const up = ageOf(now - startedAt)
  const what = `pid ${pid}, version ${version}, up ${up}, ${address ?? 'no page'}`
  const figures = { pid, version, upMs: now - startedAt, address, sessions }
  return [
    version === ownVersion()
      ? finding.ok('daemon', `${what}, ${sessions} sessions`, { figures })
      : finding.warning('daemon', `${what}; this is vigil ${ownVersion()}`, 'vigil stop', {
          figures,
        }),
    ...(durable
      ? []
      : [
          finding.problem(
            'daemon',
            'the log cannot be written: states are correct, but will be lost on restart',
            `free space on the disk of ${health.store.path}, and make the file writable`,
          ),
        ]),
    // Problems of channels and hooks have findings of their own.
    ...health.troubles
      .filter((trouble) => STATUS.test(trouble))
      .map((trouble) => finding.warning('hooks', trouble, 'vigil install --all-events')),
    ...health.troubles
      .filter(isOurs)
      .map((trouble) =>
        finding.warning(
          'daemon',
          trouble,
          `read ${folders.log}; restart the daemon with \`vigil stop\` and then any command`,
        ),
      ),
  ]
}

/** SPEC I25. A client that no longer writes its status. */
const STATUS = /^status of /

function isOurs(trouble: string): boolean {
  return !/^(notify|hooks in|status of) /.test(trouble)
}
