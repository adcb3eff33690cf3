import type { Command } from 'commander'
import type { OpenRequest, RequestAnswer } from '../../protocol/request.ts'
import { spelled } from '../../view/safe.ts'
import { pickedAnswers } from './answer-picked.ts'
import { printedRequest, requestCode, suggestedLines } from './answer-said.ts'
import { hasTerminal, isSure, unseen } from './answer-sure.ts'
import { everyRequest, whichRequest } from './answer-which.ts'
import { asked, BadInput } from './bad-input.ts'
import { SESSION_IS } from './option-words.ts'
import { out } from './output.ts'
import { showsWhole } from './paged.ts'
import { reach } from './reach.ts'

interface Options {
  readonly word?: string
  readonly suggestion?: number
  readonly request?: string
  readonly json?: boolean
}

const ACTS = ['allow', 'approve', 'deny', 'pick'] as const
type Act = (typeof ACTS)[number]

export function addAnswer(program: Command): void {
  program
    .command('answer')
    .description('answer an agent’s request; without arguments, list the open requests')
    .usage('[SESSION] [allow|approve|deny|pick ANSWER...] [options]')
    .argument('[session]', `${SESSION_IS}; may be left out if only one session asks`)
    .argument(`[${ACTS.join('|')}...]`, 'allow, approve, deny, or pick followed by the answers')
    .option('--word <text>', 'with deny: a message to the agent')
    .option(
      '--suggestion <number>',
      'with allow: one of the client’s own, as it is shown',
      toNumber,
    )
    .option('--request <code>', 'the request you have seen, by the code that vigil answer shows')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((first: string | undefined, rest: string[], options: Options) =>
      answer(first === undefined ? [] : [first, ...rest], options),
    )
}

const HELP = `
Examples:
  vigil answer                              list the open requests in full
  vigil answer payments allow               show the request, ask you, then allow it
  vigil answer payments allow --suggestion 0
  vigil answer allow --request 3f2a91c0d4e5 allow the request with this code; for scripts
  vigil answer deny --word 'use the staging database'
  vigil answer pick 2                       the second option; or give a label or your own words
  vigil answer pick 1 2,3                   option 1 of question 1; options 2 and 3 of question 2

Before allow and pick, vigil shows you the whole request, one screen at a time, and asks you to
confirm. With --request, or without a terminal, it does not ask: then --request is required. deny
never asks.

Use approve or allow to approve a plan, and deny to reject it. The dialog in the agent's terminal
stays open all the while; the first answer counts. \`vigil answers status\` shows whether hooks wait
for answers from vigil.`

async function answer(words: readonly string[], options: Options): Promise<void> {
  const { session, act, rest } = parsed(words)
  const client = await reach()
  if (act === undefined) {
    const { requests, lines } = await everyRequest(client, session)
    if (options.json) return out.json(requests)
    return hasTerminal() ? void (await showsWhole(lines)) : out.lines(lines)
  }
  const found = await whichRequest(client, { session, request: options.request })
  const { request } = found
  const given = answerOf(request, act, rest, options)
  const isNamed = options.request === requestCode(request)
  if (act !== 'deny' && !isNamed && !hasTerminal()) throw unseen(act)
  const lines = printedRequest(request, found.session, found.now)
  const asks = lines.filter((line) => !line.startsWith('  --'))
  const shown = [...asks, ...suggestedLines(request, given)]
  const isAsked = act !== 'deny' && !isNamed
  if (!isAsked && !options.json) out.lines(shown)
  if (isAsked && !(await isMeant([...shown, questionOf(request, given)])))
    return out.line('not answered')
  await asked(client.answer(request.id, given))
  if (options.json) out.json({ request, answer: given })
  else out.line(saidOf(request, given))
}

/** SPEC SH6. Asks below the last page of the request, and only there. */
async function isMeant(lines: readonly string[]): Promise<boolean> {
  return (await showsWhole(lines)) && (await isSure())
}

/** SPEC SH6. What a yes would do, with the answers as they would be given. */
function questionOf({ kind }: OpenRequest, given: RequestAnswer): string {
  if (given.choice === 'answer') return `Answer ${spelled(answersIn(given).join(' · '))}?`
  return kind === 'plan' ? 'Approve this plan?' : 'Allow this?'
}

interface Parsed {
  readonly session: string | undefined
  readonly act: Act | undefined
  readonly rest: readonly string[]
}

/** The session may be left out. A session whose name is also an action must be named by its id. */
export function parsed(words: readonly string[]): Parsed {
  const [first, second] = words
  if (isAct(first)) return { session: undefined, act: first, rest: words.slice(1) }
  if (isAct(second)) return { session: first, act: second, rest: words.slice(2) }
  if (second !== undefined)
    throw new BadInput(`answer ${second}: expected allow, approve, deny or pick after the session`)
  return { session: first, act: undefined, rest: [] }
}

function isAct(word: string | undefined): word is Act {
  return (ACTS as readonly (string | undefined)[]).includes(word)
}

export function answerOf(
  { kind, questions, digest }: Pick<OpenRequest, 'kind' | 'questions' | 'digest'>,
  act: Act,
  rest: readonly string[],
  { word, suggestion }: Options,
): RequestAnswer {
  const seen = { where: 'cli', shown: digest } as const
  if (act === 'pick') return { choice: 'answer', answers: pickedAnswers(questions, rest), ...seen }
  if (rest.length > 0)
    throw new BadInput(`answer ${act} ${rest[0]}: unexpected; give a message with --word`)
  // SPEC AN32. The request may have changed since it was picked as a plan.
  if (act === 'approve' && kind !== 'plan')
    throw new BadInput(`answer approve: this request is for a ${kind}, not a plan; use allow`)
  return {
    choice: act === 'approve' ? 'allow' : act,
    ...(word !== undefined && { word }),
    ...(suggestion !== undefined && { suggestion }),
    ...seen,
  }
}

function saidOf({ kind }: OpenRequest, given: RequestAnswer): string {
  const { choice, word } = given
  if (choice === 'allow') return kind === 'plan' ? 'approved' : 'allowed'
  if (choice === 'deny') return word ? `denied: ${word}` : 'denied'
  return `answered: ${answersIn(given).join(' · ')}`
}

function answersIn({ answers }: RequestAnswer): string[] {
  return Object.values(answers ?? {}).map((one) => [one].flat().join(', '))
}

function toNumber(value: string): number {
  if (!/^\d{1,3}$/.test(value))
    throw new BadInput(
      `--suggestion ${value}: expected the number of a suggestion that vigil answer lists`,
    )
  return Number(value)
}
