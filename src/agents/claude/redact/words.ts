import type { RedactRules } from '../../redact.ts'
import { EVENTS } from '../events.ts'
import { CAUSE } from './fields.ts'

/**
 * SPEC OS5. The client's own words, field by field: these describe a state and name nothing of its
 * user's. Any other value is hidden, because a project, a gateway or a server may have chosen it.
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

export const WORDS: RedactRules['words'] = {
  source: [
    'config startup resume clear compact fork dynamic picker user_temporary user_permanent',
    'user_reject',
  ],
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
  userType: ['external internal'],
  what: ['subagent shell task workflow'],
  level: ['none low medium high xhigh max info notice suggestion warning error'],
  taskType: ['subagent shell task workflow local_bash local_agent local_workflow remote_agent'],
  load_reason: ['session_start nested_traversal path_glob_match include compact'],
  memory_type: ['User Project Local Managed'],
  waitingFor: [],
  [CAUSE]: [
    'unknown authentication_failed oauth_org_not_allowed server_error invalid_request rate_limit',
    'billing_error max_output_tokens overloaded overloaded_error request_too_large timeout',
    'model_not_found api_error permission_error not_found_error',
  ],
}

export const FORMS: RedactRules['forms'] = {
  model:
    /^<synthetic>$|^claude-(?:\d[\d-]{0,8}-)?(?:opus|sonnet|haiku)(?:-\d[\d-]{0,20})?(?:\[1m\])?$/,
  display_name: /^(?:Opus|Sonnet|Haiku)(?: \d{1,2}(?:\.\d{1,2})?)?(?: \(1M context\))?$/,
  timestamp: /^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z?$/,
  waitingFor: /^(?:permission prompt|dialog open|input needed|sandbox request|worker request)$/,
}

/** Of tools, messages and requests; also a model's name, which may be in an id's place. */
export const IDS = new RegExp(
  `^(?:toolu|srvtoolu|msg|req|call|bash)_[A-Za-z0-9_]{1,60}$|${FORMS.model?.source}`,
)
