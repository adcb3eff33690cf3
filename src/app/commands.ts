import type { CommandEntry } from '../surfaces/cli/command-entry.ts'

const LOOK = 'Look:'
const ACT = 'Run and set up:'
const REPORT = 'Recordings:'
const SERVICE = 'The daemon:'

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'status',
    summary: 'every session and what it is doing',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/status.ts')).addStatus,
  },
  {
    name: 'watch',
    summary: 'one line for each change, beginning with what is',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/watch.ts')).addWatch,
  },
  {
    name: 'why',
    summary: 'why a session is said to be what it is',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/why.ts')).addWhy,
  },
  {
    name: 'wait',
    summary: 'wait until a session is idle, waiting, …; for scripts',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/wait.ts')).addWait,
  },
  {
    name: 'next',
    summary: 'jump to the session that has needed you longest',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/jump.ts')).addNext,
  },
  {
    name: 'jump',
    summary: 'jump to a session’s window in tmux',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/jump.ts')).addJump,
  },
  {
    name: 'open',
    summary: 'the page in your browser, signed in',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/open.ts')).addOpen,
  },
  {
    name: 'insight',
    summary: 'how long agents worked and waited for you',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/insight.ts')).addInsight,
  },
  {
    name: 'agents',
    summary: 'the agents that vigil knows, and what it can do with each',
    group: LOOK,
    load: async () => (await import('../surfaces/cli/agents.ts')).addAgents,
  },
  {
    name: 'demo',
    summary: 'a dozen agents at work, to look at and to answer',
    group: LOOK,
    load: async () => (await import('./demo.ts')).addDemo,
  },
  {
    name: 'answer',
    summary: 'answer what an agent asks',
    group: ACT,
    load: async () => (await import('../surfaces/cli/answer.ts')).addAnswer,
  },
  {
    name: 'answers',
    summary: 'whether agents may be answered from elsewhere, and what was',
    group: ACT,
    load: async () => (await import('../surfaces/cli/answers.ts')).addAnswers,
  },
  {
    name: 'audit',
    summary: 'the log of everything done through vigil, and whether it is whole',
    group: ACT,
    load: async () => (await import('../surfaces/cli/audit.ts')).addAudit,
  },
  {
    name: 'run',
    summary: 'start an agent that vigil watches, nothing installed',
    group: ACT,
    load: async () => (await import('../surfaces/cli/run.ts')).addRun,
  },
  {
    name: 'loop',
    summary: 'keep an agent going until it is done, within limits',
    group: ACT,
    load: async () => (await import('../surfaces/cli/loop.ts')).addLoop,
  },
  {
    name: 'name',
    summary: 'call a session by a name of your own',
    group: ACT,
    load: async () => (await import('../surfaces/cli/name.ts')).addName,
  },
  {
    name: 'typing',
    summary: 'allow that a session in tmux is typed into from here',
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
    summary: 'interrupt one that works',
    group: ACT,
    load: async () => (await import('../surfaces/cli/interrupt.ts')).addInterrupt,
  },
  {
    name: 'notify',
    summary: 'be told when an agent needs you',
    group: ACT,
    load: async () => (await import('../surfaces/cli/notify.ts')).addNotify,
  },
  {
    name: 'tmux',
    summary: 'agents in the window names and the status line of tmux',
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
    name: 'install',
    summary: 'put hooks into the settings of your agents',
    group: ACT,
    load: async () => (await import('../surfaces/cli/install.ts')).addInstall,
  },
  {
    name: 'uninstall',
    summary: 'take them out, every other byte as it was',
    group: ACT,
    load: async () => (await import('../surfaces/cli/install.ts')).addInstall,
  },
  {
    name: 'doctor',
    summary: 'check that everything works, and say what to do',
    group: ACT,
    load: async () => (await import('../surfaces/cli/doctor.ts')).addDoctor,
  },
  {
    name: 'statusline',
    summary: 'a status line that tells vigil, too',
    group: ACT,
    load: async () => (await import('../surfaces/cli/statusline.ts')).addStatusline,
  },
  {
    name: 'completion',
    summary: 'names and options for your shell to complete',
    group: ACT,
    load: async () => (await import('../surfaces/cli/completion.ts')).addCompletion,
  },
  {
    name: 'replay',
    summary: 'what vigil would have said about a recording, and why',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/replay.ts')).addReplay,
  },
  {
    name: 'score',
    summary: 'how right it would have been',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/score.ts')).addScore,
  },
  {
    name: 'export',
    summary: 'a session as a recording, to report a wrong verdict with',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/transfer.ts')).addExport,
  },
  {
    name: 'import',
    summary: 'a recording into the log, to look at it here',
    group: REPORT,
    load: async () => (await import('../surfaces/cli/transfer.ts')).addImport,
  },
  {
    name: 'daemon',
    summary: 'run the daemon in the foreground; others start it when needed',
    group: SERVICE,
    load: async () => (await import('./daemon.ts')).addDaemon,
  },
  {
    name: 'stop',
    summary: 'end the daemon',
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
