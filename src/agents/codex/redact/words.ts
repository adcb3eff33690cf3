import type { RedactRules } from '../../redact.ts'
import { HOOKED_EVENTS } from '../events.ts'

/**
 * SPEC OS5. The client's own words, field by field: these describe a state and name nothing of its
 * user's.
 */
const TOOLS = [
  'Bash apply_patch request_user_input request_user_input_async update_plan view_image web_search',
  'collaborationspawn_agent collaborationwait_agent exec exec_command write_stdin shell',
  'local_shell',
]

const ENTRIES = [
  'session_meta turn_context event_msg response_item world_state compacted',
  'task_started task_complete turn_aborted item_completed token_count context_compacted',
  'thread_settings_applied agent_message user_message message reasoning function_call',
  'function_call_output custom_tool_call custom_tool_call_output local_shell_call',
  'UserMessage AgentMessage CommandExecution FileChange Plan SubAgentActivity HookPrompt',
  'CollabAgentToolCall ContextCompaction Reasoning input_text output_text text Text',
  'idle active systemError notLoaded',
]

/** Why turns fail, as vigil names it. */
const CAUSES = [
  'unknown invalid_request authentication_failed rate_limit server_error overloaded usage_limit',
  'context_window_exceeded connection_lost',
]

export const CODEX_WORDS: RedactRules['words'] = {
  hook_event_name: [...HOOKED_EVENTS, 'PreToolUse PostToolUse PreModelRequest PostModelRequest'],
  source: ['startup resume clear compact fork vscode cli exec unified_exec_startup'],
  reason: ['other interrupted replaced review_ended'],
  tool_name: TOOLS,
  type: ENTRIES,
  role: ['user assistant developer system'],
  status: ['completed failed in_progress inProgress declined interrupted'],
  permission_mode: ['default bypassPermissions acceptEdits plan dontAsk'],
  approval_policy: ['on-request never untrusted on-failure granular'],
  mode: ['plan default'],
  agent_type: ['default explorer worker'],
  thread_source: ['user subagent'],
  codex_error_info: [
    'other usage_limit_exceeded internal_server_error context_window_exceeded server_overloaded',
    'unauthorized bad_request sandbox_error',
  ],
  method: [
    'thread/started thread/read thread/status/changed thread/closed thread/name/updated',
    'turn/started turn/completed',
  ],
  cause: CAUSES,
}

export const CODEX_FORMS: RedactRules['forms'] = {
  model: /^gpt-\d(?:\.\d{1,2})?(?:-(?:codex|mini|max|sol))*$/,
  timestamp: /^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z?$/,
  cli_version: /^\d{1,5}(?:\.\d{1,5}){2}$/,
  cliVersion: /^\d{1,5}(?:\.\d{1,5}){2}$/,
}
