import type { Right } from '../../protocol/constants.ts'
import type { FleetMachine, FleetView } from '../../protocol/fleet.ts'
import { ageOf, plain } from '../../view/session.ts'
import type { Paint } from './paint.ts'

const NAME_COLUMNS = 18
const STATE_COLUMNS = 22
/** A sentence, with what to do. */
const TEXT_COLUMNS = 500

/** Less than a person notices, and more than the measurement is wrong. */
const CLOCK_SHOWN_MS = 1_000

const NO_FLEET: readonly string[] = [
  'This machine belongs to no fleet.',
  '',
  '  vigil fleet serve          begin one, on a machine that the others can reach',
  '  vigil fleet join LINE      join one, with the line of `vigil fleet invite` there',
  '',
  '`vigil fleet --help` shows the five commands for two machines.',
]

/** SPEC FL95. The machines of the fleet, and what each may do here. */
export function fleetLines(view: FleetView, now: number, paint: Paint): readonly string[] {
  const { fleet, founder, machines } = view
  if (fleet === null) return [...NO_FLEET, ...troublesOf(view.troubles, paint)]
  const here = founder ? ', which this machine began: it invites and removes' : ''
  return [
    `${paint('bold', 'fleet')} ${plain(fleet, 40)}${here}`,
    serverLine(view, paint),
    '',
    ...inOrder(machines).flatMap((machine) => machineLines(machine, now, paint)),
    ...troublesOf(view.troubles, paint),
  ]
}

function serverLine({ server }: FleetView, paint: Paint): string {
  const urls = plain(server?.urls.join(' ') ?? '', TEXT_COLUMNS)
  if (server?.connected) return `connected to ${urls}`
  const why = plain(server?.why ?? 'there is no server', TEXT_COLUMNS)
  return paint('red', `not connected${urls === '' ? '' : ` to ${urls}`}: ${why}`)
}

/** The own machine first, then those that are there. */
function inOrder(machines: readonly FleetMachine[]): readonly FleetMachine[] {
  const rank = ({ own, online }: FleetMachine) => (own ? 0 : online ? 1 : 2)
  return machines.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
}

function machineLines(machine: FleetMachine, now: number, paint: Paint): readonly string[] {
  const name = plain(machine.name, NAME_COLUMNS).padEnd(NAME_COLUMNS)
  const state = stateOf(machine, now).padEnd(STATE_COLUMNS)
  const { sessions, version, own, online } = machine
  const parts = [
    `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`,
    version === null ? null : `vigil ${plain(version, 20)}`,
    clockOf(machine),
    own ? null : MAY[machine.right],
    machine.founder ? 'began the fleet' : null,
  ]
  const about = parts.filter((part) => part !== null).join(' · ')
  const line = `  ${name} ${paint(online || own ? 'green' : 'grey', state)} ${about}`
  // Commands take the id where two machines have one name.
  return [line, paint('dim', `    ${machine.id}`), ...troublesOf(machine.troubles, paint, '    ')]
}

function stateOf({ own, online, lastHeardAt }: FleetMachine, now: number): string {
  if (own) return 'this machine'
  if (online) return 'online'
  return lastHeardAt === null ? 'never heard' : `last heard ${ageOf(now - lastHeardAt)} ago`
}

function clockOf({ own, clockAheadMs }: FleetMachine): string | null {
  if (own || Math.abs(clockAheadMs) < CLOCK_SHOWN_MS) return null
  return `its clock is ${ageOf(Math.abs(clockAheadMs))} ${clockAheadMs > 0 ? 'ahead' : 'behind'}`
}

export const MAY: Readonly<Record<Right, string>> = {
  nothing: 'may see nothing here',
  look: 'may look here',
  answer: 'may look and answer here',
  type: 'may look, answer and type here',
}

function troublesOf(troubles: readonly string[], paint: Paint, indent = ''): readonly string[] {
  return troubles.map((one) => paint('yellow', `${indent}! ${plain(one, TEXT_COLUMNS)}`))
}
