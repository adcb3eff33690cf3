import type { RedactRules } from '../../redact.ts'

/** How fields of the client's reports may be exported. */
export const FIELDS: RedactRules['fields'] = {
  word: [
    'hook_event_name agent_type notification_type trigger waitingFor display_name',
    'reason permission_mode permissionMode type subtype operation status role stop_reason version',
    'entrypoint kind promptSource model timestamp userType what cause',
    'level taskType load_reason memory_type',
  ].join(' '),
  tool: 'tool_name',
  server: 'mcp_server_name',
  id: [
    'session_id sessionId prompt_id promptId tool_use_id agent_id agentId id uuid',
    'parentUuid leafUuid messageId requestId interruptedMessageId taskId procStart',
    'sourceToolAssistantUUID parent_session_id',
  ].join(' '),
  path: 'transcript_path agent_transcript_path configDir project_dir current_dir',
  said: 'prompt content text message last_assistant_message',
}

export const OWN = [
  'message content origin compactMetadata commandRun background_tasks',
  'tool_calls model cost context_window current_usage workspace effort thinking usage',
  'promptSubmitEnding ending',
].join(' ')

export const DATA: RedactRules['data'] = {
  anywhere: 'question questions options label header description status content type text',
  atTop: [
    'command file_path pattern url query skill plan prompt timeout run_in_background old_string',
    'new_string replace_all offset limit path glob output_mode subagent_type todos activeForm',
    'shell_id task_id bash_id agentId backgroundTaskId taskId taskType stdout stderr interrupted',
    'isImage filePath oldString newString structuredPatch answers multiSelect',
  ].join(' '),
}

/** The cause of a failed turn is part of the verdict; a tool's error is what the tool printed. */
export const CAUSE = 'cause'

/** In a transcript the call of a tool is a block with the tool's name. */
export function fieldOf(name: string, owner: Readonly<Record<string, unknown>>): string {
  const { type, hook_event_name: event, isApiErrorMessage } = owner
  if (name === 'name' && (type === 'tool_use' || type === 'server_tool_use')) return 'tool_name'
  if (name === 'error' && (event === 'StopFailure' || isApiErrorMessage === true)) return CAUSE
  return name
}
