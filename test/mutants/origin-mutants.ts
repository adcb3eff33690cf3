import type { Mutant } from './mutants.ts'

const HOLD = 'src/daemon/origin/hold.ts'
const HOLDER = 'src/client/holder.ts'
const ENDPOINT = 'src/daemon/api/endpoint.ts'
const ADMIT = 'src/daemon/api/admit.ts'
const BROWSERS = 'src/daemon/browsers/browsers.ts'
const HELD = 'test/origin/held.test.ts'
const TAKEOVER = 'test/origin/takeover-browser.test.ts'
const ATTACKS = 'test/api/attack-endpoints.test.ts'

/** The page's address, its holder, and what is bound to it, broken one at a time. */
export const ORIGIN_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'the page is under the usual name of this machine',
    file: ENDPOINT,
    find: 'map((host) => ({ host, origin: null }))',
    replace: "map((host) => ({ host, origin: 'http://' + host }))",
    test: ATTACKS,
    caughtBy: 'OC1',
  },
  {
    breaks: 'a new hold has the address of the one before',
    file: HOLD,
    find: 'before?.sockets === sockets ? before',
    replace: 'before ? { ...before, sockets }',
    test: HELD,
    caughtBy: 'OC2',
  },
  {
    breaks: 'a hold outlives the machine’s restart',
    file: HOLD,
    find: '[id, bootId(), ...inodes]',
    replace: "[id, bootId() && '', ...inodes]",
    test: 'src/daemon/origin/hold.test.ts',
    caughtBy: 'OC2',
  },
  {
    breaks: 'keys outlive a gap',
    file: BROWSERS,
    find: 'if (!before || before.sockets === hold.sockets) return',
    replace: 'if (before) return',
    test: 'src/daemon/browsers/browsers.test.ts',
    caughtBy: 'OC2',
  },
  {
    breaks: 'nothing holds the page’s address',
    file: 'src/daemon/api-servers.ts',
    find: 'if (!playedHooks && !isHeld) startHolder(folders, fds, id)',
    replace: 'void [isHeld, startHolder]',
    test: HELD,
    caughtBy: 'OC3',
  },
  {
    breaks: 'a holder is started for sockets that systemd keeps',
    file: 'src/daemon/api-servers.ts',
    find: 'sockets?.byHolder === false || ',
    replace: '',
    test: 'test/origin/socket-unit.test.ts',
    caughtBy: 'OC3',
  },
  {
    breaks: 'a daemon in the foreground signs every browser out',
    file: 'src/app/daemon.ts',
    find: 'if (!sockets && (await isInFront(port, quiet))) return',
    replace: 'void isInFront',
    test: 'test/origin/foreground.test.ts',
    caughtBy: 'OC3',
  },
  {
    breaks: 'a daemon outlives the command in front of it',
    file: 'src/app/daemon.ts',
    find: 'if (front !== undefined) endWith(front)',
    replace: 'void endWith',
    test: 'test/origin/foreground.test.ts',
    caughtBy: 'OC3',
  },
  {
    breaks: 'a hook starts a daemon beside the holder',
    file: 'src/client/start.ts',
    find: 'if (!startByHolder(foldersOf(env), [process.execPath, COMMAND]))',
    replace: 'if (env)',
    test: HELD,
    caughtBy: 'OC3',
  },
  {
    breaks: 'the holder has every variable',
    file: HOLDER,
    find: '...daemonEnv(process.env)',
    replace: '...process.env',
    test: HELD,
    caughtBy: 'OC3',
  },
  {
    breaks: 'a port that is taken is replaced by another',
    file: 'src/daemon/api/ports.ts',
    find: 'if (wanted !== 0) throw',
    replace: 'if (wanted > 65_535) throw',
    test: 'test/api/server.test.ts',
    caughtBy: 'P12',
  },
  {
    breaks: 'the port is left to others at ::1',
    file: 'src/daemon/api/ports.ts',
    find: 'const second = await bindSixth(make(), portOf(first))',
    replace: 'const second = tries < 0 ? await bindSixth(make(), portOf(first)) : undefined',
    test: HELD,
    caughtBy: 'OC4',
  },
  {
    breaks: 'a shared address is let in by the port',
    file: ENDPOINT,
    find: 'addresses: () => addresses, browsers, page } as const',
    replace:
      'addresses: () => [...addresses, ...(visitors.shared?.() ?? [])], browsers, page } as const',
    test: ATTACKS,
    caughtBy: 'OC5',
  },
  {
    breaks: 'a key is good under any address',
    file: BROWSERS,
    find: 'found?.origin === origin ?',
    replace: 'found ?',
    test: ATTACKS,
    caughtBy: 'OC6',
  },
  {
    breaks: 'a code is good under any address',
    file: 'src/daemon/browsers/codes.ts',
    find: 'if (found.origin !== origin) return { ok: false }',
    replace: '',
    test: 'src/daemon/browsers/codes.test.ts',
    caughtBy: 'OC6',
  },
  {
    breaks: 'the file with a code stays',
    file: 'src/daemon/api/routes/browsers.ts',
    find: 'codeFiles?.remove(body.code)',
    replace: '',
    test: 'test/commands/open.test.ts',
    caughtBy: 'OC7',
  },
  {
    breaks: 'a planted service worker stays',
    file: ADMIT,
    find: "valuesOf(headers, 'service-worker').join() === 'script'",
    replace: "valuesOf(headers, 'service-worker').join() === ''",
    test: TAKEOVER,
    caughtBy: 'OC8',
  },
  {
    breaks: 'signing in clears nothing',
    file: 'src/daemon/api/routes/browsers.ts',
    find: `headers['clear-site-data'] = '"cache", "storage"'`,
    replace: '',
    test: TAKEOVER,
    caughtBy: 'OC8',
  },
  {
    breaks: 'a sign-out is not noted',
    file: BROWSERS,
    find: 'this.#noteGone(gone, where, why)',
    replace: '',
    test: HELD,
    caughtBy: 'OC9',
  },
]
