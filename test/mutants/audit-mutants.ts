import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const CHAIN = 'test/audit/chain.test.ts'
const DAEMON = 'test/audit/daemon.test.ts'
const CARRIED = 'test/audit/carried.test.ts'

/** The audit log: each rule broken once. */
export const AUDIT_MUTANTS: readonly Mutant[] = [
  ...within('src/store/chain.ts', CHAIN, [
    ['what was shown is not hashed', 'words, shown, digest })', 'words, digest })', 'AU2'],
  ]),
  ...within('src/store/chained.ts', CHAIN, [
    ['half a character breaks the chain', 'noted.words.toWellFormed()', 'noted.words', 'AU1'],
  ]),
  ...within('src/store/chained.ts', CARRIED, [
    ['older acts stay without a chain', 'chain.run(previous, hash, act.id)', '', 'AU6'],
    ['a rebuilt log says nothing of it', 'addAct(db, aboutLog(GAP, now, words))', '', 'AU7'],
  ]),
  ...within('src/store/chain-check.ts', CHAIN, [
    ['an act need not follow', 'act.previous !== last.hash', 'false', 'AU2'],
    ['an act need not be as noted', 'actHash(act) !== act.hash', 'false', 'AU2'],
    ['a log may begin anywhere', 'if (previous === GENESIS) return true', 'return true', 'AU2'],
    ['a log may end anywhere', 'this.#wanted.set(hash, place)', '', 'AU3'],
  ]),
  ...within('src/store/act-retention.ts', CHAIN, [
    ['acts have no bound', 'count <= bound.acts && ', 'count > 0 || ', 'AU5'],
    [
      'the oldest go without a note',
      'addAct(db, { ...aboutLog(CHAIN, now, words), shown: canonicalJson(removal) })',
      '',
      'AU5',
    ],
  ]),
  ...within('src/store/acts.ts', CHAIN, [
    ['a page has no end', 'chars > PAGE_MAX_CHARS', 'false', 'AU4'],
    [
      'an act is lost with a removed file',
      'this.#mustBeThere()\n    this.#sync',
      'this.#sync',
      'AU1',
    ],
  ]),
  ...within('src/daemon/audit/audit-log.ts', DAEMON, [
    ['the head is not kept', 'writeHead(this.#parts.headFile, head)', '', 'AU3'],
    ['a replaced log is not noticed', 'this.#parts.acts.hashAt(act) !== hash', 'false', 'AU3'],
  ]),
  ...within('src/daemon/requests/stored-request.ts', DAEMON, [
    ['what was approved is not noted', 'tool, input, ...(cut', 'tool, ...(cut', 'AU8'],
  ]),
  ...within('src/daemon/api/routes/daemon.ts', DAEMON, [
    ['a stop is not noted', 'noteStop(api, callerName(caller), body.why)', '', 'AU9'],
  ]),
  ...within('src/surfaces/cli/audit.ts', DAEMON, [
    [
      'the listing ignores the session',
      'printAll({ session, ...newest }',
      'printAll({ ...newest }',
      'AU10',
    ],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => {
    return { breaks: `audit: ${breaks}`, file, find, replace, test, caughtBy }
  })
}
