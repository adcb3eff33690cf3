import type { Suggestion } from '../../protocol/request.ts'
import type { AskedCall } from '../answers.ts'
import { type Fields, fields, list, textIn } from '../read.ts'

/**
 * SPEC AN3. Offers only what can be put into words: a user should not allow what cannot be read.
 */
export function suggestionsOf({ offers }: Pick<AskedCall, 'offers'>): readonly Suggestion[] {
  return offers.flatMap((offer, index) => {
    const words = wordsOf(fields(offer))
    return words === undefined ? [] : [{ index, words }]
  })
}

function wordsOf(offer: Fields): string | undefined {
  const lasts = wordsFor(LASTS, textIn(offer.destination))
  if (lasts === undefined) return undefined
  const what = textIn(offer.type)
  if (what === 'addRules') return rulesIn(offer, lasts)
  if (what === 'addDirectories') return foldersIn(offer, lasts)
  const meaning = wordsFor(MODES, textIn(offer.mode))
  return what === 'setMode' && meaning !== undefined ? `${meaning} ${lasts}` : undefined
}

/** Names that every object inherits do not count. */
function wordsFor(words: Readonly<Record<string, string>>, name: string | undefined) {
  return name !== undefined && Object.hasOwn(words, name) ? words[name] : undefined
}

/** For how long and where it applies. */
const LASTS: Readonly<Record<string, string>> = {
  session: 'in this session',
  localSettings: 'in this project',
  projectSettings: 'in this project, for all its users',
  userSettings: 'in every project',
  cliArg: 'in this session',
}

/** Never the mode that asks about nothing: that is no answer to one question. */
const MODES: Readonly<Record<string, string>> = {
  acceptEdits: 'accept every edit',
  default: 'ask about every edit',
  plan: 'plan first',
}

function rulesIn(offer: Fields, lasts: string): string | undefined {
  if (offer.behavior !== 'allow') return undefined
  const rules = list(offer.rules).map(fields)
  const names = rules.map(({ toolName, ruleContent }) => {
    const tool = textIn(toolName)
    if (tool === undefined) return undefined
    const content = textIn(ruleContent)
    // A rule for the shell is the command itself, which is clear enough.
    return content === undefined ? tool : tool === 'Bash' ? content : `${tool}(${content})`
  })
  if (names.length === 0 || names.includes(undefined)) return undefined
  return `always allow ${names.join(', ')} ${lasts}`
}

function foldersIn(offer: Fields, lasts: string): string | undefined {
  const folders = list(offer.directories).map(textIn)
  if (folders.length === 0 || folders.includes(undefined)) return undefined
  return `always allow work in ${folders.join(', ')} ${lasts}`
}
