import { AdminPolicy } from '../../home/policy.ts'
import type { PolicyKey } from '../../protocol/constants.ts'
import { BadInput } from './bad-input.ts'

/** SPEC WD23. Refuses before anything is written; the daemon checks as well. */
export function refuseForbidden(key: PolicyKey): void {
  const forbidden = new AdminPolicy().whyNot(key)
  if (forbidden !== undefined) throw new BadInput(forbidden, 1)
}
