import type { Mutant } from './mutants.ts'

type Change = readonly [breaks: string, find: string, replace: string, caughtBy: string]

function within(file: string, test: string, changes: readonly Change[]): readonly Mutant[] {
  return changes.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks, file, find, replace },
    ...{ test, caughtBy },
  }))
}

const LOOPS = 'test/decide/loops.test.ts'
const AGENTS = 'test/decide/agent-shell.test.ts'
const TYPED = 'test/decide/typed-loop.test.ts'
const POLICY = 'test/decide/policy.test.ts'

export const DECIDE_MUTANTS: readonly Mutant[] = [
  ...within('src/daemon/api/routes/loops.ts', LOOPS, [
    [
      'a program on a port begins a loop',
      "loop is nested in it.',\n      access: 'socket'",
      "loop is nested in it.',\n      access: 'token'",
      'WD1',
    ],
  ]),
  ...within('src/daemon/api/routes/daemon.ts', LOOPS, [
    ['a program on a port ends the daemon', "access: 'socket'", "access: 'token'", 'WD2'],
  ]),
  ...within('src/daemon/panes/switches.ts', LOOPS, [
    ['a loop types while typing is off', 'allows(id) ?', 'allows(id) || id ?', 'WD3'],
  ]),
  ...within('src/daemon/loops/frames.ts', LOOPS, [
    ['what a loop runs is not noted', 'until === undefined ? []', 'until !== 0 ? []', 'WD4'],
  ]),
  ...within('src/daemon/loops/loops.ts', LOOPS, [
    [
      'a loop begins though it is not in the log',
      'this.#note(session.id, by, `started',
      'void String(`started',
      'WD4',
    ],
  ]),
  ...within('src/surfaces/cli/no-agent.ts', AGENTS, [
    ['an agent starts loops anywhere', 'agent.session?.id === id', 'id', 'WD11'],
  ]),
  ...within('src/surfaces/cli/calling-agent.ts', AGENTS, [
    [
      'scrubbed variables hide an agent',
      'pids.some((pid) => isOfAgent(argvOf(pid)))',
      'pids.length < 0',
      'WD12',
    ],
  ]),
  ...within('src/surfaces/cli/no-agent.ts', 'src/surfaces/cli/no-agent.test.ts', [
    ['what is not in the list is allowed', 'if (rule && may(', 'if (!rule || may(', 'WD10'],
  ]),
  ...within('src/surfaces/cli/agent-may.ts', AGENTS, [
    [
      'an agent adds a channel',
      "'notify channel': { agent: false",
      "'notify channel': { agent: true",
      'WD10',
    ],
  ]),
  ...within('src/surfaces/cli/own-session.ts', AGENTS, [
    [
      'a variable names any session as one’s own',
      '  for (const pid of pids()) {',
      '  if (open.some(isNamed)) return open.find(isNamed)\n  for (const pid of pids()) {',
      'WD12',
    ],
  ]),
  ...within('src/core/loop/typed.ts', 'src/core/loop/typed.test.ts', [
    ['a pasted line begins with options', '= /^[ \\t]*--([a-z]', '= /^\\s*--([a-z]', 'WD13'],
  ]),
  ...within('src/daemon/loops/typed-loops.ts', TYPED, [
    [
      'a posted report begins a loop',
      'spooled ? loopOf(report.agent)?.eventOf(report) : undefined',
      'loopOf(report.agent)?.eventOf(report)',
      'WD14',
    ],
    [
      'a line begins two loops',
      '    this.#texts.delete(session)\n    return',
      '    return',
      'WD14',
    ],
  ]),
  ...within('plugin/commands/stop.md', TYPED, [
    ['a command of the plugin allows others', 'vigil-loop" stop),', 'vigil-loop":*),', 'WD16'],
  ]),
  ...within('plugin/scripts/vigil-loop', TYPED, [
    ['the plugin’s script passes words on', 'case $# in 1) ;;', 'case $# in [1-9]) ;;', 'WD16'],
  ]),
  ...within('src/daemon/settings-log.ts', 'test/decide/settings.test.ts', [
    ['a channel that tells secrets is not noted', 'secrets === true', 'secrets === 1', 'WD15'],
  ]),
  ...within('src/home/policy.ts', 'src/home/policy.test.ts', [
    ['a file of any user is a policy', 'if (!isOwner)', 'if (uid < 0)', 'WD21'],
    ['a policy that others can write counts', '(mode & 0o022) !== 0', 'mode < 0', 'WD21'],
    [
      'a misspelt key allows',
      'if (!isKey(key))\n',
      'if (!isKey(key)) continue\n    if (!key)\n',
      'WD22',
    ],
    [
      'a broken policy allows',
      "state: 'broken', fault, allowed: all(false)",
      "state: 'broken', fault, allowed: all(true)",
      'WD22',
    ],
    [
      'a policy is read once',
      'stamp === undefined || this.#seen?.stamp !== stamp',
      '!this.#seen',
      'WD23',
    ],
  ]),
  ...within('src/home/policy.ts', POLICY, [
    [
      'a variable moves the policy',
      'file = POLICY_FILE',
      'file = process.env.VIGIL_POLICY ?? POLICY_FILE',
      'WD20',
    ],
  ]),
  ...within('src/daemon/loops/loops.ts', POLICY, [
    [
      'a forbidden loop begins',
      "policy.whyNot('loops')\n    if (forbidden !== undefined)",
      "policy.whyNot('loops')\n    if (forbidden === '')",
      'WD23',
    ],
  ]),
  ...within('src/surfaces/notify/sender.ts', POLICY, [
    ['a forbidden channel sends on', '!this.#options.mayLeave()', 'false', 'WD23'],
  ]),
  ...within('src/daemon/requests/answer-switch.ts', POLICY, [
    [
      'a forbidden answer is given',
      'if (forbidden !== undefined) return forbidden',
      'if (forbidden === null) return forbidden',
      'WD23',
    ],
  ]),
  ...within('src/surfaces/cli/doctor/policy.ts', POLICY, [
    ['the doctor does not see a broken policy', "state === 'broken'", "state === 'none'", 'WD24'],
  ]),
  ...within('src/platform/ancestors.ts', AGENTS, [
    ['many shells hide the agent', '!found.has(next)', 'found.size < 64', 'WD12'],
  ]),
  ...within('src/surfaces/cli/calling-agent.ts', AGENTS, [
    ['a variable names the session', 'pids.includes(named.pid)', 'named.pid > 0', 'WD12'],
  ]),
]
