import type { Command } from 'commander'
import { FLEET_RIGHTS, type Right } from '../../protocol/constants.ts'
import type { FleetMachine } from '../../protocol/fleet.ts'
import { plain } from '../../view/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { addFleetJoining } from './fleet-join.ts'
import { fleetLines, MAY } from './fleet-table.ts'
import { refuseForbidden } from './forbidden.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .usage('[command]')
    .description('see and answer the agents of all your machines; without a command, list them')
    .option('--json', 'print the fleet as one JSON object')
    .addHelpText('after', HELP)
    .action(list)
  addFleetJoining(fleet)
  fleet
    .command('allow')
    .description('say what another machine may do on this one')
    .argument('<machine>', 'its name or its id, as `vigil fleet` lists it')
    .argument(`<${FLEET_RIGHTS.join('|')}>`, 'each includes those before it')
    .addHelpText('after', ALLOW_HELP)
    .action(allow)
  fleet
    .command('remove')
    .description('remove a machine: its key is worthless at once, everywhere')
    .argument('<machine>', 'its name or its id, as `vigil fleet` lists it')
    .action(remove)
  fleet
    .command('leave')
    .description('take this machine out of the fleet; nothing of it stays there')
    .action(leave)
}

const HELP = `
Two machines in five commands:
  desk$    vigil fleet serve              begin a fleet on a machine that the others can reach
  desk$    vigil fleet invite             print one line, good for one machine and one hour
  laptop$  vigil fleet join LINE          the line; laptop connects to desk, and listens nowhere
  desk$    vigil                          all sessions of both; g groups them by machine
  desk$    vigil answer laptop/payments   answer there as here

A machine that is not heard from for ten seconds is shown as unreachable, and its sessions as they
were. Each machine decides who may look, answer and type on it: vigil fleet allow. The server can
read no text and invent no session.`

const ALLOW_HELP = `
nothing   it sees no session of this machine
look      it sees sessions, conversations and screens
answer    it also answers requests, and pauses and stops loops
type      it also types prompts, where typing into the session is on (vigil typing)

After joining, the machine that began the fleet may answer, and all others look.

Examples:
  vigil fleet allow desk type
  vigil fleet allow laptop nothing`

async function list({ json }: { readonly json?: boolean }): Promise<void> {
  const view = await asked((await reach()).fleet())
  if (json) out.json(view)
  else out.lines(fleetLines(view, Date.now(), out.paint))
}

async function allow(said: string, right: string): Promise<void> {
  if (!isRight(right))
    throw new BadInput(`fleet allow ${right}: expected ${FLEET_RIGHTS.join(', ')}`)
  const client = await reach()
  const { machines } = await asked(client.fleet())
  const { id, name, own } = machineIn(machines, said)
  if (own) throw new BadInput(`${said}: is this machine; its own user may do everything here`)
  await asked(client.allowInFleet(id, right))
  out.line(`${plain(name, 60)} ${MAY[right]}`)
}

async function remove(said: string): Promise<void> {
  refuseForbidden('fleet')
  const client = await reach()
  const { machines } = await asked(client.fleet())
  const { id, name, own } = machineIn(machines, said)
  if (own) throw new BadInput(`${said}: is this machine; use \`vigil fleet leave\``)
  await asked(client.removeFromFleet(id))
  out.line(`${plain(name, 60)} is removed`)
}

async function leave(): Promise<void> {
  await asked((await reach()).leaveFleet())
  out.line('this machine has left the fleet')
}

function isRight(text: string): text is Right {
  return (FLEET_RIGHTS as readonly string[]).includes(text)
}

/** SPEC FL96. The machine that the user means; of two with one name none is guessed. */
export function machineIn(machines: readonly FleetMachine[], said: string): FleetMachine {
  const byId = machines.filter(({ id }) => id === said)
  const byName = machines.filter(({ name }) => name.toLowerCase() === said.toLowerCase())
  const [only, ...others] = byId.length > 0 ? byId : byName
  const listed = (some: readonly FleetMachine[]) =>
    some.map(({ id, name }) => `  ${id}  ${plain(name, 60)}`)
  if (!only) {
    const there = machines.length === 0 ? 'this machine belongs to no fleet' : 'there are'
    throw new BadInput(`${said}: no machine has this name or id; ${there}`, 2, listed(machines))
  }
  if (others.length > 0) throw new BadInput(`${said}: could be`, 2, listed([only, ...others]))
  return only
}
