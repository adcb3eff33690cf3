import type { RedactRules } from '../../redact.ts'
import {
  CODEX_SCREEN_WORDS,
  codexCommand,
  codexTypedIn,
  isPlainTitle,
  rolloutPathPieces,
  rolloutTextPieces,
} from './texts.ts'
import { CODEX_FORMS, CODEX_WORDS } from './words.ts'

export const codexRedact: RedactRules = {
  fields: {
    word: [
      'hook_event_name source reason type role status permission_mode approval_policy mode model',
      'agent_type thread_source codex_error_info method timestamp cli_version cliVersion cause',
    ].join(' '),
    tool: 'tool_name',
    server: 'project',
    id: [
      'session_id sessionId turn_id turnId root_turn_id id call_id tool_use_id agent_id thread_id',
      'threadId parentThreadId parent_thread_id forked_from_id process_id thread',
    ].join(' '),
    path: 'transcript_path agent_transcript_path configDir rollout_path',
    said: [
      'prompt text message last_assistant_message last_agent_message title input output arguments',
      'preview',
    ].join(' '),
  },
  own: [
    'payload message params thread status turn error item content output git gitInfo info',
    'last_token_usage total_token_usage collaboration_mode codex_error_info',
    'http_connection_failed response_too_many_failed_attempts response_stream_disconnected',
    'response_stream_connection_failed',
  ].join(' '),
  data: { atTop: 'command description questions', anywhere: 'question' },
  words: CODEX_WORDS,
  forms: CODEX_FORMS,
  ids: /^(?:call|msg|exec|item|fc|ctc)[-_][A-Za-z0-9_-]{1,60}$/,
  deciding: 'waitingOnApproval waitingOnUserInput',
  verdict: { cause: ['cause'], how: ['source', 'reason'] },
  fieldOf: (name, owner) => {
    if (name === 'title' && isPlainTitle(owner.title)) return 'project'
    // Of a call; another object's name is its user's.
    return name === 'name' && 'call_id' in owner ? 'tool_name' : name
  },
  textPieces: rolloutTextPieces,
  folders: '.codex sessions',
  pathPieces: rolloutPathPieces,
  screen: { words: CODEX_SCREEN_WORDS, typedIn: codexTypedIn },
  command: codexCommand,
}
