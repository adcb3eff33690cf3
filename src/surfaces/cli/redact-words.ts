import { EVENTS } from '../../agents/claude/events.ts'
import { SOURCES } from '../../core/signal.ts'

/**
 * SPEC OS5. The client's own words, field by field: these tell a state and name nothing of its
 * user's. Any other value is hidden, for a project, a gateway or a server may have chosen it.
 */
const TOOLS = [
  'Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode EnterWorktree ExitPlanMode',
  'ExitWorktree Glob Grep KillBash KillShell LS ListMcpResources ListMcpResourcesTool LSP',
  'MultiEdit NotebookEdit NotebookRead Read ReadMcpResource ReadMcpResourceTool SendMessage',
  'Skill SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop',
  'TaskUpdate TeamCreate TeamDelete TodoWrite ToolSearch WebFetch WebSearch Write',
]
const MODES = 'acceptEdits auto bypassPermissions default delegate dontAsk plan'
const ENTRIES = [
  'mode permission-mode text user message tool_use assistant last-prompt tool_result',
  'addRules system addDirectories setMode subagent queue-operation shell cost-state object',
  'string custom-title agent-name summary progress thinking redacted_thinking image',
  'document attachment result init server_tool_use file-history-snapshot removeRules',
  'replaceRules workflow task local_bash agent',
]

const WORDS: Readonly<Record<string, readonly string[]>> = {
  source: [
    ...SOURCES,
    'meta vigil config startup resume clear compact fork dynamic picker user_temporary',
    'user_permanent user_reject',
  ],
  agent: ['claude'],
  hook_event_name: [...EVENTS, 'Setup InstructionsLoaded PreModelSwitch UserPromptExpansion'],
  tool_name: TOOLS,
  agent_type: ['general-purpose Explore Plan statusline-setup output-style-setup'],
  notification_type: [
    'permission_prompt idle_prompt elicitation_response elicitation_dialog auth_success',
    'quota_auto_resume_fired elicitation_complete agent_needs_input',
  ],
  trigger: ['auto manual'],
  reason: [
    'delivered_to_agent clear prompt_input_exit other absorbed_mid_turn resume logout exit',
    'bypass_permissions_disabled',
  ],
  permission_mode: [MODES],
  permissionMode: [MODES],
  type: ENTRIES,
  subtype: [
    'stop_hook_summary turn_duration informational compact_boundary local_command api_error init',
    'model_refusal_no_fallback success',
  ],
  operation: ['enqueue dequeue remove popAll'],
  status: [
    'idle busy waiting shell async_launched running completed in_progress rejected pending failed',
    'killed cancelled error',
  ],
  role: ['user assistant system'],
  stop_reason: ['tool_use end_turn stop_sequence max_tokens refusal pause_turn'],
  entrypoint: ['cli sdk-cli sdk-ts sdk-py claude-vscode claude-desktop remote mcp'],
  kind: ['interactive human task-notification blocked_by_hook auto-continuation'],
  promptSource: ['typed system queued sdk'],
  terminal: [
    'Apple_Terminal iTerm.app vscode tmux WezTerm ghostty kitty alacritty gnome-terminal konsole',
    'screen rxvt Hyper WarpTerminal',
  ],
  userType: ['external internal'],
  what: ['subagent shell task workflow'],
  level: ['none low medium high xhigh max info notice suggestion warning error'],
  taskType: ['subagent shell task workflow local_bash local_agent local_workflow remote_agent'],
  load_reason: ['session_start nested_traversal path_glob_match include compact'],
  memory_type: ['User Project Local Managed'],
  state: ['IDLE ACTIVE COMPLETING STUCK ABORTED'],
  turn: ['let kept'],
  waitingFor: [],
  error: [
    'unknown authentication_failed oauth_org_not_allowed server_error invalid_request rate_limit',
    'billing_error max_output_tokens overloaded overloaded_error request_too_large timeout',
    'model_not_found api_error permission_error not_found_error',
  ],
}

const KNOWN = new Map(
  Object.entries(WORDS).map(([field, lines]) => [
    field,
    new Set(lines.flatMap((line) => line.split(' '))),
  ]),
)

/** The values that are made by a rule. */
const FORMS: Readonly<Record<string, RegExp>> = {
  version: /^\d{1,5}(?:\.\d{1,5}){1,3}$/,
  model:
    /^<synthetic>$|^claude-(?:\d[\d-]{0,8}-)?(?:opus|sonnet|haiku)(?:-\d[\d-]{0,20})?(?:\[1m\])?$/,
  display_name: /^(?:Opus|Sonnet|Haiku)(?: \d{1,2}(?:\.\d{1,2})?)?(?: \(1M context\))?$/,
  timestamp: /^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z?$/,
  signal: /^SIG[A-Z]{2,8}\d{0,2}$/,
  waitingFor: /^(?:permission prompt|dialog open|input needed|sandbox request|worker request)$/,
}

/** Whether a value of this field is a word of the client's own. */
export function isOwnWord(field: string, value: string): boolean {
  return KNOWN.get(field)?.has(value) === true || FORMS[field]?.test(value) === true
}

/** Ids as the client makes them; one that somebody chose is hidden like any text. */
export function isId(value: string): boolean {
  return IDS.test(value) || isOwnWord('model', value)
}

const IDS = new RegExp(
  `^(?:${[
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '(?:toolu|srvtoolu|msg|req|call|bash)_[A-Za-z0-9_]{1,60}',
    '[a-z]?[0-9a-f]{5,40}',
    '[A-Za-z]{0,2}[-_]?\\d{1,20}|[A-Za-z]',
  ].join('|')})$`,
)
