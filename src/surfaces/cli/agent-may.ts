import { out } from './output.ts'

/** The words after the command's name, and its options by name. */
interface CommandLine {
  readonly words: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

export interface AgentRule {
  /** `own`: only for the session that the command runs in, which the command itself checks. */
  readonly agent: boolean | 'own' | ((line: CommandLine) => boolean)
  /** Why an agent may run it, or what only the user does; printed after "only its user". */
  readonly why: string
}

const LOOKS = { agent: true, why: 'it only reads' } as const

/** Limits and the prompt: nothing that runs a command or reads a file. */
const PLAIN_LOOP = ['prompt', 'max', 'for', 'budget', 'patience', 'json']

/**
 * SPEC WD10. Which commands may run in an agent's shell: one line for every command and subcommand.
 * A command without a line is refused there.
 */
export const AGENT_MAY: Readonly<Record<string, AgentRule>> = {
  // Without a command vigil prints a list; on a terminal it is the live view, which answers and
  // types.
  vigil: {
    agent: () => !(out.isTerminal && process.stdin.isTTY),
    why: 'answers and types in the terminal view',
  },
  status: LOOKS,
  watch: LOOKS,
  why: LOOKS,
  wait: LOOKS,
  insight: LOOKS,
  agents: LOOKS,
  demo: { agent: true, why: 'it shows simulated agents, in its own daemon' },
  doctor: LOOKS,
  completion: LOOKS,
  replay: LOOKS,
  score: LOOKS,
  statusline: { agent: true, why: 'the client runs it as its status line' },
  run: { agent: true, why: 'it starts a program that the agent could start itself' },
  export: {
    agent: ({ options }) => options.full !== true,
    why: 'exports the texts of sessions (an agent may export without --full)',
  },
  daemon: {
    agent: ({ options }) => options.port === undefined,
    why: 'chooses the port of the page',
  },

  next: { agent: false, why: 'moves a terminal to another session' },
  jump: { agent: false, why: 'moves a terminal to another session' },
  open: {
    agent: ({ options }) => options.list === true && options.forget === undefined,
    why: 'signs browsers in and out',
  },
  answer: { agent: false, why: 'answers what agents ask' },
  audit: {
    agent: ({ options }) => options.json !== true,
    why: 'lists what was shown in every session (an agent may list without --json)',
  },
  'audit verify': LOOKS,
  'audit export': { agent: false, why: 'exports what was shown in every session' },
  answers: LOOKS,
  'answers on': { agent: false, why: 'turns answering on or off' },
  'answers off': { agent: false, why: 'turns answering on or off' },
  'answers status': LOOKS,
  'answers log': LOOKS,
  typing: {
    agent: ({ words, options }) => words[options.all ? 0 : 1] === undefined,
    why: 'turns typing on or off',
  },
  name: { agent: false, why: 'names sessions' },
  say: { agent: false, why: 'sends prompts to agents' },
  interrupt: { agent: false, why: 'interrupts agents' },

  // The subcommand has a line of its own, which is checked then.
  loop: LOOKS,
  'loop start': {
    agent: ({ options }) => Object.keys(options).every((name) => PLAIN_LOOP.includes(name)),
    why: 'starts loops that run commands or read files',
  },
  'loop begin': { agent: true, why: 'it starts what you typed with /vigil:loop' },
  'loop status': LOOKS,
  'loop history': LOOKS,
  'loop export': LOOKS,
  'loop pause': { agent: 'own', why: 'pauses loops of other sessions' },
  'loop stop': { agent: 'own', why: 'stops loops of other sessions' },
  'loop resume': { agent: false, why: 'resumes loops' },
  'loop import': { agent: false, why: 'starts a loop from a file' },

  notify: LOOKS,
  'notify status': LOOKS,
  'notify on': { agent: false, why: 'changes which notifications are sent where' },
  'notify off': { agent: false, why: 'changes which notifications are sent where' },
  'notify test': { agent: false, why: 'sends notifications' },
  'notify channel': { agent: false, why: 'changes which notifications are sent where' },
  'notify quiet': { agent: false, why: 'changes which notifications are sent where' },
  'notify limit': { agent: false, why: 'changes which notifications are sent where' },
  tmux: LOOKS,
  'tmux status': LOOKS,
  'tmux on': { agent: false, why: 'changes what tmux shows' },
  'tmux off': { agent: false, why: 'changes what tmux shows' },
  share: LOOKS,
  'share list': LOOKS,
  'share add': { agent: false, why: 'shares the page' },
  'share remove': { agent: false, why: 'shares the page' },
  'share ssh': { agent: false, why: 'signs browsers in' },
  'share qr': { agent: false, why: 'signs browsers in' },
  fleet: LOOKS,
  'fleet permissions': LOOKS,
  'fleet serve': { agent: false, why: 'begins a fleet' },
  'fleet invite': { agent: false, why: 'lets machines into the fleet' },
  'fleet join': { agent: false, why: 'lets other machines see this one' },
  'fleet allow': { agent: false, why: 'decides who may act on this machine' },
  'fleet remove': { agent: false, why: 'removes machines from the fleet' },
  'fleet leave': { agent: false, why: 'takes this machine out of the fleet' },
  install: { agent: false, why: 'changes the hooks of every session' },
  service: LOOKS,
  'service status': LOOKS,
  'service install': { agent: false, why: 'installs or removes the service' },
  'service remove': { agent: false, why: 'installs or removes the service' },
  uninstall: { agent: false, why: 'changes the hooks of every session' },
  import: { agent: false, why: 'adds to the log' },
  stop: { agent: false, why: 'ends the daemon' },
}
