import type { Mutant } from './mutants.ts'

const MACHINE = 'src/home/machine.ts'
const MACHINE_TEST = 'src/home/machine.test.ts'
const ADDRESS = 'src/protocol/address.ts'
const ADDRESS_TEST = 'src/protocol/address.test.ts'
const API_TEST = 'test/api/address.test.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

/** Machines, addresses of sessions, and what commands load, broken one at a time. */
export const ADDRESS_MUTANTS: readonly Mutant[] = [
  ...within(MACHINE, MACHINE_TEST, [
    ['each start has an id of its own', 'entry.of === of', 'entry.of === of && false', 'MA1'],
    [
      'the file tells what the system calls itself',
      ".digest('hex')\n  const { entries",
      ".digest('hex') + system()\n  const { entries",
      'MA1',
    ],
    ['a copied home keeps its id', 'entry.of === of', 'true', 'MA2'],
    ['a machine takes the place of the others', '[{ id, of }, ...entries]', '[{ id, of }]', 'MA2'],
    ['any text is a machine’s id', 'isMachineId(id) && ', '', 'MA3'],
    [
      'a new id is not said',
      '  return fault === undefined',
      '  return true || fault === undefined',
      'MA3',
    ],
  ]),
  ...within('src/daemon/row.ts', 'src/daemon/own-machine.test.ts', [
    [
      'a session in the log is of the machine that wrote it',
      '...known, machine }\n',
      '...known, machine: (body as Session).machine }\n',
      'MA3',
    ],
    ['the log keeps the machine’s id', 'body: { ...body,', 'body: { ...session,', 'MA3'],
  ]),
  ...within(ADDRESS, ADDRESS_TEST, [
    [
      'a slash ends the machine, wherever it stands',
      "})/(.+)$`, 's')",
      "})/(.+?)(/.*)?$`, 's')",
      'MA5',
    ],
    ['any word before a slash is a machine', 'm[0-9a-f]{24}', '[\\\\w…-]+', 'MA5'],
  ]),
  ...within('src/daemon/api/local.ts', API_TEST, [
    ['another machine’s session is ours', 'name.machine === machine', 'name.machine', 'MA6'],
    [
      'a filter forgets the machine',
      "session: localId(machine, session, 'query.session')",
      'session: session.session',
      'MA6',
    ],
  ]),
  ...within('src/protocol/request.ts', API_TEST, [
    ['requests tell no machine', '{ ...machine, requests:', '{ requests:', 'MA7'],
  ]),
  ...within('src/surfaces/cli/pick.ts', 'src/app/commands.test.ts', [
    ['a command passes over the machine', 'one.machine === machine', 'one.machine', 'MA8'],
  ]),
  ...within('src/surfaces/cli/status.ts', 'test/commands/loads.test.ts', [
    [
      'status loads the schemas',
      "import { reach } from './reach.ts'",
      "import { reach } from './reach.ts'\nimport '../../protocol/session.ts'",
      'CM16',
    ],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => {
    return { breaks: `address: ${breaks}`, file, find, replace, test, caughtBy }
  })
}
