import { ADDRESS_MUTANTS } from './address-mutants.ts'
import { ANSWER_MUTANTS } from './answer-mutants.ts'
import { ATTENTION_MUTANTS } from './attention-mutants.ts'
import { AUDIT_MUTANTS } from './audit-mutants.ts'
import { BOARD_MUTANTS } from './board-mutants.ts'
import { BOUND_MUTANTS } from './bound-mutants.ts'
import { CODEX_ANSWER_MUTANTS } from './codex-answer-mutants.ts'
import { CODEX_INSIGHT_MUTANTS } from './codex-insight-mutants.ts'
import { CODEX_MUTANTS } from './codex-mutants.ts'
import { CODEX_SETUP_MUTANTS } from './codex-setup-mutants.ts'
import { CONNECTION_MUTANTS } from './connection-mutants.ts'
import { DAEMON_MUTANTS } from './daemon-mutants.ts'
import { DECIDE_MUTANTS } from './decide-mutants.ts'
import { DIALOG_MUTANTS } from './dialog-mutants.ts'
import { ENDPOINT_MUTANTS } from './endpoint-mutants.ts'
import { FLEET_CALL_MUTANTS } from './fleet-call-mutants.ts'
import { FLEET_MUTANTS } from './fleet-mutants.ts'
import { HABIT_MUTANTS } from './habit-mutants.ts'
import { INSIGHT_MUTANTS } from './insight-mutants.ts'
import { LIMIT_MUTANTS } from './limit-mutants.ts'
import { LOOP_MUTANTS } from './loop-mutants.ts'
import { MACHINE_MUTANTS } from './machine-mutants.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { NOTIFY_MUTANTS } from './notify-mutants.ts'
import { ORIGIN_MUTANTS } from './origin-mutants.ts'
import { OUTPUT_MUTANTS } from './output-mutants.ts'
import { PAGE_MUTANTS } from './page-mutants.ts'
import { PANE_MUTANTS } from './pane-mutants.ts'
import { PLATFORM_MUTANTS } from './platform-mutants.ts'
import { PROGRAM_MUTANTS } from './program-mutants.ts'
import { REQUEST_MUTANTS } from './request-mutants.ts'
import { ROW_MUTANTS } from './row-mutants.ts'
import { SETUP_MUTANTS } from './setup-mutants.ts'
import { SHARE_MUTANTS } from './share-mutants.ts'
import { SHOWN_MUTANTS } from './shown-mutants.ts'
import { TMUX_MUTANTS } from './tmux-mutants.ts'
import { TUI_MUTANTS } from './tui-mutants.ts'
import { VIEW_MUTANTS } from './view-mutants.ts'
import { WAITING_MUTANTS } from './waiting-mutants.ts'

/** Every breakage there is. */
export const ALL_MUTANTS: readonly Mutant[] = [
  ...MUTANTS,
  ...DAEMON_MUTANTS,
  ...LOOP_MUTANTS,
  ...MACHINE_MUTANTS,
  ...ANSWER_MUTANTS,
  ...VIEW_MUTANTS,
  ...TMUX_MUTANTS,
  ...BOARD_MUTANTS,
  ...TUI_MUTANTS,
  ...NOTIFY_MUTANTS,
  ...REQUEST_MUTANTS,
  ...WAITING_MUTANTS,
  ...DIALOG_MUTANTS,
  ...ENDPOINT_MUTANTS,
  ...SHARE_MUTANTS,
  ...PAGE_MUTANTS,
  ...INSIGHT_MUTANTS,
  ...PANE_MUTANTS,
  ...ORIGIN_MUTANTS,
  ...CONNECTION_MUTANTS,
  ...SHOWN_MUTANTS,
  ...DECIDE_MUTANTS,
  ...BOUND_MUTANTS,
  ...PROGRAM_MUTANTS,
  ...PLATFORM_MUTANTS,
  ...OUTPUT_MUTANTS,
  ...LIMIT_MUTANTS,
  ...AUDIT_MUTANTS,
  ...ROW_MUTANTS,
  ...SETUP_MUTANTS,
  ...ADDRESS_MUTANTS,
  ...HABIT_MUTANTS,
  ...ATTENTION_MUTANTS,
  ...CODEX_MUTANTS,
  ...CODEX_ANSWER_MUTANTS,
  ...CODEX_SETUP_MUTANTS,
  ...CODEX_INSIGHT_MUTANTS,
  ...FLEET_MUTANTS,
  ...FLEET_CALL_MUTANTS,
]
