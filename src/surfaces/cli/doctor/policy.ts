import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { AdminPolicy } from '../../../home/policy.ts'
import { seenSettings, seenSettingsFile } from '../../../home/seen-settings.ts'
import { POLICY_KEYS } from '../../../protocol/constants.ts'
import type { PolicyView } from '../../../protocol/daemon.ts'
import { ageOf } from '../../../view/session.ts'
import type { CheckContext } from './context.ts'

/** SPEC WD24. What the administrator allows, as the daemon applies it, and in which file. */
export function checkPolicy({ daemon }: CheckContext): CheckFinding {
  const view = daemon?.health.policy ?? new AdminPolicy().view
  const { file, state, fault, allowed } = view
  const figures = { state, allowed }
  if (state === 'broken')
    return finding.problem('policy', `nothing is allowed: ${fault}`, REPAIR, { figures })
  if (state === 'missing')
    return finding.ok('policy', `everything is allowed: no ${file}`, { figures })
  return finding.ok('policy', `${wordsOf(view)} (${file})`, { figures })
}

const REPAIR = 'ask an administrator to fix the file: it must belong to root, with mode 0644'

function wordsOf({ allowed }: PolicyView): string {
  const forbidden = POLICY_KEYS.filter((key) => !allowed[key])
  if (forbidden.length === 0) return 'everything is allowed'
  return `not allowed: ${forbidden.join(', ')}`
}

/** SPEC WD15. When settings that send data elsewhere, or decide who may answer, last changed. */
export function checkGuarded({ folders }: CheckContext): CheckFinding[] {
  const changes = Object.entries(seenSettings(seenSettingsFile(folders)) ?? {}).flatMap(
    ([key, { at }]) => (at === null ? [] : { key, at }),
  )
  const [last, ...others] = changes.toSorted((a, b) => b.at - a.at)
  if (!last) return []
  const more = others.length === 0 ? '' : ` (and ${others.length} more before)`
  const what = `${last.key} was changed ${ageOf(Date.now() - last.at)} ago${more}`
  return [
    finding.ok('settings', `${what}; \`vigil answers log\` lists all changes`, {
      figures: { changes },
    }),
  ]
}
