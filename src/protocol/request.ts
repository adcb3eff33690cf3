import { z } from 'zod'
import { PLACES } from './constants.ts'
import {
  digest,
  machine,
  maybe,
  named,
  reportName,
  requestId,
  type TypeOf,
  time,
} from './schema.ts'

/** Far more than users type; the client accepts 10,000 characters from a hook. */
const WORD_MAX_CHARS = 4_000
const QUESTION_MAX_CHARS = 20_000
const ANSWERS_MAX = 32
const NUMBER_MAX = 1_000

const requestQuestion = z.strictObject({
  question: z.string(),
  header: maybe,
  several: z.boolean().describe('more than one option may be chosen'),
  options: z.array(z.strictObject({ label: z.string(), description: maybe })),
})
export type RequestQuestion = TypeOf<typeof requestQuestion>

const suggestion = z.strictObject({
  index: z.number().describe('its place in the client’s own list'),
  words: z.string(),
})
export type Suggestion = TypeOf<typeof suggestion>

const fieldPart = z.strictObject({
  role: z
    .enum(['command', 'path', 'text', 'change', 'changes', 'plan', 'questions', 'value'])
    .describe(
      'a change stands beside the text that it replaces, and only of a tool that is known to ' +
        'replace it: what stays is counted, not shown; a text is new',
    ),
  field: z.string(),
  replaces: z.string().exactOptional().describe('of a change: the field with the text before it'),
  after: z
    .string()
    .exactOptional()
    .describe('of a list of changes: the field of each that has the text after it'),
  path: z
    .string()
    .exactOptional()
    .describe('of a list of changes: the field of each that names its file'),
  everywhere: z
    .string()
    .exactOptional()
    .describe('of a change: the field that says that the text is replaced wherever it stands'),
  several: z
    .string()
    .exactOptional()
    .describe('of a list of questions: the field of each that allows several answers'),
})
export type FieldPart = TypeOf<typeof fieldPart>

/** Which parts of a tool's input are its action, and which only explain it. */
export const inputLayout = z
  .strictObject({
    parts: z.array(fieldPart).describe('shown first, in this order'),
    explains: z.array(z.string()).describe('words of the agent that change nothing: shown last'),
  })
  .describe('how the fields of the input are drawn, as the agent says')
  .register(named, { id: 'InputLayout' })
export type InputLayout = TypeOf<typeof inputLayout>

/** The folders relative to which a call's paths are shown; unknown ones are left out. */
export const pathBases = {
  folder: z.string().exactOptional().describe('the folder that the session works in'),
  home: z.string().exactOptional().describe('its user’s own'),
}

/** An agent's request to its user, with everything needed to decide. */
const openRequest = z
  .strictObject({
    id: requestId.describe('names this very request; another dialog has another'),
    session: z.string(),
    digest: digest.describe('of the payload its hook left; an answer gives it back as `shown`'),
    kind: z.enum(['permission', 'question', 'plan']),
    tool: z.string(),
    actor: maybe.describe('the subagent that asks'),
    at: time,
    input: z.unknown().describe('the tool’s input as the client gave it'),
    layout: inputLayout,
    ...pathBases,
    lines: z
      .record(z.string(), z.int().min(1))
      .exactOptional()
      .describe(
        'by the field of a change: the line of the file at which the text that it replaces began ' +
          'when the request came; one that is not known is missing',
      ),
    cut: z.boolean().describe('the input was longer than is given here'),
    questions: z.array(requestQuestion),
    plan: maybe.describe('Markdown'),
    suggestions: z.array(suggestion).describe('the client’s own, in words'),
    answerable: z
      .boolean()
      .describe('a hook or the agent’s server takes the answer, or it can be typed into its pane'),
    why: maybe.describe('why it cannot be answered from here'),
  })
  .register(named, { id: 'Request' })
export type OpenRequest = TypeOf<typeof openRequest>

export const openRequests = z
  .strictObject({ ...machine, requests: z.array(openRequest).describe('oldest first') })
  .register(named, { id: 'Requests' })
export type OpenRequests = TypeOf<typeof openRequests>

export const oneRequest = z
  .strictObject({ ...machine, request: openRequest })
  .register(named, { id: 'OneRequest' })

const words = z.string().max(WORD_MAX_CHARS)

/** The choice, in words that hold for every client. */
const requestChoice = z.strictObject({
  choice: z.enum(['allow', 'deny', 'answer']),
  suggestion: z
    .int()
    .min(0)
    .max(NUMBER_MAX)
    .exactOptional()
    .describe('with allow: one of the client’s own suggestions, by its index'),
  word: words.exactOptional().describe('with deny: a message to the agent'),
  answers: z
    .record(
      z.string().max(QUESTION_MAX_CHARS),
      z.union([words, z.array(words).min(1).max(ANSWERS_MAX)]),
    )
    .refine((answers) => Object.keys(answers).length <= ANSWERS_MAX, 'expected fewer answers')
    .exactOptional()
    .describe('by question: a label, several, or words of one’s own'),
})
export type RequestChoice = TypeOf<typeof requestChoice>

export const requestAnswer = z
  .strictObject({
    ...requestChoice.shape,
    where: z.enum(PLACES),
    shown: z
      .string()
      .max(128)
      .exactOptional()
      .describe('the digest of the request that was shown; needed but for deny'),
  })
  .register(named, { id: 'Answer' })
export type RequestAnswer = TypeOf<typeof requestAnswer>

/** A hook asks by the name of the report it left, and the digest of its payload. */
export const spooledReport = z
  .strictObject({ report: reportName, digest })
  .register(named, { id: 'SpooledReport' })

/** A hook prints this, leaves the decision to the terminal, or keeps waiting. */
export const requestOutcome = z
  .union([
    z.strictObject({ act: z.literal('decide'), output: z.looseObject({}), digest }),
    z.strictObject({ act: z.literal('nothing') }),
    z.strictObject({ act: z.literal('again') }),
  ])
  .register(named, { id: 'RequestOutcome' })
export type RequestOutcome = TypeOf<typeof requestOutcome>
