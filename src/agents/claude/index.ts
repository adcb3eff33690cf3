import type { Agent } from '../agent.ts'
import { outputOf } from './answer.ts'
import { pendingIn } from './answer-log.ts'
import { suggestionsOf } from './answer-offers.ts'
import { askedIn, waitsForAnswer } from './answer-request.ts'
import { ClaudeDeliveries } from './delivered.ts'
import { demo } from './demo-agent.ts'
import { OLDEST_CLIENT, tellsState } from './events.ts'
import {
  configFolderOf,
  holdsSubagents,
  isListing,
  isTranscript,
  projectsFolder,
  registryFields,
  registryFileName,
  registryFolder,
  registryPid,
  sessionFolder,
  subagentLog,
} from './files.ts'
import { configFolderIn, folderName, NAME_MAX_CHARS } from './folder.ts'
import { eventOf } from './hook.ts'
import { HOOK_SCRIPT } from './hook-script.ts'
import { loop } from './loop-event.ts'
import { paneAnswers } from './pane-answer.ts'
import { redact } from './redact/index.ts'
import { roleOf } from './role.ts'
import { readScreen } from './screen.ts'
import { setup } from './setup/index.ts'
import { runWithHooks } from './setup/run.ts'
import { figuresIn } from './statusline.ts'
import { talkIn } from './talk.ts'
import { toolLayout } from './tool-fields.ts'
import { toolSigns } from './tool-signs.ts'
import { translateClaude } from './translate.ts'
import { truthReader } from './truth.ts'
import { usageOf } from './usage.ts'
import { versions } from './version-of.ts'

/** Where its own installers put it, and package managers whose folder is often not in PATH. */
const PLACES = ['.local/bin', '.claude/local', '.npm-global/bin', '.bun/bin', '.volta/bin']

export const claude: Agent = {
  id: 'claude',
  title: 'Claude Code',
  command: 'claude',
  programs: (home) => PLACES.map((place) => `${home}/${place}/claude`),
  oldest: OLDEST_CLIENT,
  versions,
  translate: translateClaude,
  recognise: roleOf,
  homes: (env, userHome) => [configFolderOf(env, userHome)],
  variables: {
    marks: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'],
    session: 'CLAUDE_CODE_SESSION_ID',
    home: 'CLAUDE_CONFIG_DIR',
  },
  folderOf: folderName,
  logs: {
    rootOf: projectsFolder,
    homeOf: configFolderIn,
    depth: 1,
    suffix: '.jsonl',
    nameOf: (session) => `${session}.jsonl`,
    folderNameMax: NAME_MAX_CHARS,
    isLog: isTranscript,
    sessionFolder,
    holdsLogs: holdsSubagents,
    logOfActor: subagentLog,
    isNoise: isListing,
  },
  statusFiles: {
    folderOf: registryFolder,
    pidIn: registryPid,
    nameOf: registryFileName,
    keep: registryFields,
    tellsState,
  },
  hook: HOOK_SCRIPT,
  eventOf,
  readScreen,
  answers: {
    askedIn,
    waits: waitsForAnswer,
    pendingIn,
    suggestionsOf,
    outputOf,
    layoutOf: toolLayout,
  },
  paneAnswers,
  loop,
  input: { interrupt: { keys: ['Escape'], words: 'Escape' }, queues: true },
  resume: (session) => ['claude', '--resume', session],
  usage: usageOf,
  talk: talkIn,
  deliveries: () => new ClaudeDeliveries(),
  setup,
  run: runWithHooks,
  statusLine: {
    figuresIn,
    settingFor: (command) => `"statusLine": { "type": "command", "command": "${command}" }`,
  },
  redact,
  toolSigns,
  demo,
  truthReader,
}
