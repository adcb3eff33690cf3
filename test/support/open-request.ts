import type { OpenRequest } from '../../src/protocol/request.ts'
import { NOW } from './board.ts'
import { COMMAND_LAYOUT } from './view.ts'

/** An open request: a permission that can be answered, unless given otherwise. */
export function aRequest(over: Partial<OpenRequest> = {}): OpenRequest {
  return {
    id: 'r1',
    digest: '0'.repeat(64),
    session: 'asks',
    kind: 'permission',
    tool: 'Bash',
    actor: null,
    at: NOW - 5_000,
    input: { command: 'npm test' },
    layout: COMMAND_LAYOUT,
    cut: false,
    questions: [],
    plan: null,
    suggestions: [],
    answerable: true,
    why: null,
    ...over,
  }
}
