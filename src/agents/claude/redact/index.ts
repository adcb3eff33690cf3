import type { RedactRules } from '../../redact.ts'
import { CAUSE, DATA, FIELDS, fieldOf, OWN } from './fields.ts'
import { command, pathPieces, SCREEN_WORDS, textPieces, toolPieces, typedIn } from './texts.ts'
import { FORMS, IDS, WORDS } from './words.ts'

export const redact: RedactRules = {
  fields: FIELDS,
  own: OWN,
  data: DATA,
  words: WORDS,
  forms: FORMS,
  ids: IDS,
  deciding: 'async_launched completed running clear manual auto',
  verdict: { cause: [CAUSE], how: ['source', 'reason'] },
  fieldOf,
  textPieces,
  toolPieces,
  folders: '.claude projects sessions subagents workflows',
  pathPieces,
  screen: { words: SCREEN_WORDS, typedIn },
  command,
}
