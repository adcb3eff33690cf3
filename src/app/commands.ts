import type { CommandEntry } from '../surfaces/cli/command-entry.ts'

const LOOK = 'Look:'
const ACT = 'Run and set up:'
const REPORT = 'Recordings:'
const SERVICE = 'The daemon:'

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'status',
    summary: 'list every session and what it is doing',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/status.ts')).addStatus,
  },
  {
    name: 'watch',
    summary: 'print one line for each change of a session',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/watch.ts')).addWatch,
  },
  {
    name: 'why',
    summary: 'show why a session is in its state',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/why.ts')).addWhy,
  },
  {
    name: 'wait',
    summary: 'wait until a session is idle, waiting, …, in scripts',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/wait.ts')).addWait,
  },
  {
    name: 'next',
    summary: 'go to the session that has waited for you longest',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/jump.ts')).addNext,
  },
  {
    name: 'jump',
    summary: 'go to a session’s window in tmux',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/jump.ts')).addJump,
  },
  {
    name: 'open',
    summary: 'open the page in your browser, signed in',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/open.ts')).addOpen,
  },
  {
    name: 'insight',
    summary: 'show how long agents worked and waited for you',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/insight.ts')).addInsight,
  },
  {
    name: 'agents',
    summary: 'list the agents vigil supports, and what it can do with each',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/agents.ts')).addAgents,
  },
  {
    name: 'demo',
    summary: 'try vigil on a dozen simulated agents',
    group: LOOK,
    load: async () => (await import('./demo.ts')).addDemo,
  },
  {
    name: 'answer',
    summary: 'answer an agent’s request',
    group: ACT,
    load: async () => (await import('../surfaces/cli/answer.ts')).addAnswer,
  },
  {
    name: 'answers',
    summary: 'turn answering through vigil on or off',
    group: ACT,
    load: async () => (await import('../surfaces/cli/answers.ts')).addAnswers,
  },
  {
    name: 'audit',
    summary: 'list everything done through vigil, and verify the list',
    group: ACT,
    load: async () => (await import('../surfaces/cli/audit.ts')).addAudit,
  },
  {
    name: 'run',
    summary: 'start an agent with vigil’s hooks; installs nothing',
    group: ACT,
    load: async () => (await import('../surfaces/cli/run.ts')).addRun,
  },
  {
    name: 'loop',
    summary: 'keep an agent working until the task is done, within limits',
    group: ACT,
    load: async () => (await import('../surfaces/cli/loop.ts')).addLoop,
  },
  {
    name: 'name',
    summary: 'give a session a name of your own',
    group: ACT,
    load: async () => (await import('../surfaces/cli/name.ts')).addName,
  },
  {
    name: 'typing',
    summary: 'let vigil type into a session in tmux, or stop it',
    group: ACT,
    load: async () => (await import('../surfaces/cli/typing.ts')).addTyping,
  },
  {
    name: 'say',
    summary: 'send a prompt to a session, or queue it while it works',
    group: ACT,
    load: async () => (await import('../surfaces/cli/say.ts')).addSay,
  },
  {
    name: 'interrupt',
    summary: 'interrupt a session that is working',
    group: ACT,
    load: async () => (await import('../surfaces/cli/interrupt.ts')).addInterrupt,
  },
  {
    name: 'notify',
    summary: 'get notified when an agent needs you',
    group: ACT,
    load: async () => (await import('../surfaces/cli/notify.ts')).addNotify,
  },
  {
    name: 'tmux',
    summary: 'show agents in tmux window names and the status line',
    group: ACT,
    load: async () => (await import('../surfaces/cli/tmux.ts')).addTmux,
  },
  {
    name: 'share',
    summary: 'reach the page from another device',
    group: ACT,
    load: async () => (await import('../surfaces/cli/share.ts')).addShare,
  },
  {
    name: 'fleet',
    summary: 'see and answer the agents of all your machines',
    group: ACT,
    load: async () => (await import('../surfaces/cli/fleet.ts')).addFleet,
  },
  {
    name: 'install',
    summary: 'add vigil’s hooks to your agents’ settings',
    group: ACT,
    load: async () => (await import('../surfaces/cli/install.ts')).addInstall,
  },
  {
    name: 'uninstall',
    summary: 'remove the hooks; everything else stays as it was',
    group: ACT,
    load: async () => (await import('../surfaces/cli/install.ts')).addInstall,
  },
  {
    name: 'doctor',
    summary: 'check that everything works, and what to do if not',
    group: ACT,
    load: async () => (await import('../surfaces/cli/doctor.ts')).addDoctor,
  },
  {
    name: 'statusline',
    summary: 'a status line that also reports to vigil',
    group: ACT,
    load: async () => (await import('../surfaces/cli/statusline.ts')).addStatusline,
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    group: ACT,
    load: async () => (await import('../surfaces/cli/completion.ts')).addCompletion,
  },
  {
    name: 'replay',
    summary: 'replay a recording, and show each state with its reason',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/replay.ts')).addReplay,
  },
  {
    name: 'score',
    summary: 'measure how accurate vigil is on recordings',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/score.ts')).addScore,
  },
  {
    name: 'export',
    summary: 'save a session as a recording, to report a wrong state',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/transfer.ts')).addExport,
  },
  {
    name: 'import',
    summary: 'add a recording to the log, to look at it here',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/transfer.ts')).addImport,
  },
  {
    name: 'daemon',
    summary: 'run the daemon in the foreground; commands start it if needed',
    group: SERVICE,
    load: async () => (await import('./daemon.ts')).addDaemon,
  },
  {
    name: 'stop',
    summary: 'stop the daemon',
    group: SERVICE,
    load: async () => (await import('../surfaces/cli/stop.ts')).addStop,
  },
  {
    name: 'service',
    summary: 'start the daemon at login, as a service of systemd or launchd',
    group: SERVICE,
    load: async () => (await import('../surfaces/cli/service.ts')).addService,
  },
]
