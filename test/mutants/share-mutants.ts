import type { Mutant } from './mutants.ts'

/** Other devices and other machines, broken one at a time. */
export const SHARE_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a plain http address can be shared',
    file: 'src/home/origin.ts',
    find: "protocol === 'http:' && !isLocal",
    replace: "protocol === 'file:' && !isLocal",
    test: 'src/home/origin.test.ts',
    caughtBy: 'DR11',
  },
  {
    breaks: 'an address that is no longer shared is still let in',
    file: 'src/daemon/browsers/shared.ts',
    find: '      this.#addresses = addressesIn(changed)\n',
    replace: '      this.#addresses = [...this.#addresses, ...addressesIn(changed)]\n',
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR11',
  },
  {
    breaks: 'who came by an address that is no longer shared goes on reading',
    file: 'src/daemon/doors.ts',
    find: '!hosts().includes(host)',
    replace: "host === ''",
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR9',
  },
  {
    breaks: 'the picture for a phone holds no code',
    file: 'src/surfaces/cli/share.ts',
    find: '...qrLines(address, { colours })',
    replace: '...qrLines(origin, { colours })',
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR13',
  },
  {
    breaks: 'the doctor does not say under which addresses the page is let in',
    file: 'src/surfaces/cli/doctor/page.ts',
    find: "origins.length === 0 ? ''",
    replace: "origins.length < 9 ? ''",
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR15',
  },
]
