import { FLEET_RIGHTS, type Right } from '../protocol/constants.ts'
import type { FleetState } from './state.ts'

/**
 * SPEC FL27. What a member may do on this machine: what its user set, otherwise the founder may
 * answer and the others may look. That a machine is a member is checked by its signature before.
 */
export function rightOf(state: Pick<FleetState, 'rights' | 'founder'>, machine: string): Right {
  // A name such as `constructor` is no right.
  if (Object.hasOwn(state.rights, machine)) return state.rights[machine] ?? 'nothing'
  return machine === state.founder ? 'answer' : 'look'
}

/** SPEC FL28. */
export function includes(right: Right, wanted: Right): boolean {
  return FLEET_RIGHTS.indexOf(right) >= FLEET_RIGHTS.indexOf(wanted)
}
