import { z } from 'zod'
import { DEEDS, PLACES } from '../daemon/requests/shapes.ts'
import { digest, named, reportName, time } from './session.ts'

/** Schemas of what agents ask, of answers, and of what was done. */

/** Far more than anybody types; the client takes 10,000 characters of a hook. */
const WORD_MAX_CHARS = 4_000
const QUESTION_MAX_CHARS = 20_000
const ANSWERS_MAX = 32
const NUMBER_MAX = 1_000

const maybe = z.string().nullable()

const question = z.strictObject({
  question: z.string(),
  header: maybe,
  several: z.boolean().describe('more than one option may be chosen'),
  options: z.array(z.strictObject({ label: z.string(), description: maybe })),
})

const request = z
  .strictObject({
    id: z.string().describe('names this very request; another dialog has another'),
    session: z.string(),
    digest: digest.describe('of the payload its hook left; an answer gives it back as `shown`'),
    kind: z.enum(['permission', 'question', 'plan']),
    tool: z.string(),
    actor: maybe.describe('the subagent that asks'),
    at: time,
    input: z.unknown().describe('the tool’s input as the client gave it'),
    cut: z.boolean().describe('the input was longer than is told'),
    questions: z.array(question),
    plan: maybe.describe('Markdown'),
    suggestions: z.array(z.strictObject({ index: z.number(), words: z.string() })),
    answerable: z.boolean().describe('a hook waits for the answer'),
    why: maybe.describe('why it cannot be answered from here'),
  })
  .register(named, { id: 'Request' })

export const requests = z
  .strictObject({ requests: z.array(request).describe('oldest first') })
  .register(named, { id: 'Requests' })
export const one = z.strictObject({ request }).register(named, { id: 'OneRequest' })

const said = z.string().max(WORD_MAX_CHARS)

export const answer = z
  .strictObject({
    choice: z.enum(['allow', 'deny', 'answer']),
    suggestion: z.int().min(0).max(NUMBER_MAX).exactOptional(),
    word: said.exactOptional(),
    answers: z
      .record(
        z.string().max(QUESTION_MAX_CHARS),
        z.union([said, z.array(said).min(1).max(ANSWERS_MAX)]),
      )
      .refine((answers) => Object.keys(answers).length <= ANSWERS_MAX, 'expected fewer answers')
      .exactOptional()
      .describe('by question: a label, several, or words of one’s own'),
    where: z.enum(PLACES),
    shown: z
      .string()
      .max(128)
      .exactOptional()
      .describe('the digest of the request that was shown; needed but for deny'),
  })
  .register(named, { id: 'Answer' })

export const answered = z
  .strictObject({ done: z.literal(true) })
  .register(named, { id: 'Answered' })

export const waiting = z
  .strictObject({ report: reportName, digest })
  .register(named, { id: 'RequestWaiting' })

export const told = z
  .union([
    z.strictObject({ act: z.literal('decide'), output: z.looseObject({}), digest }),
    z.strictObject({ act: z.literal('nothing') }),
    z.strictObject({ act: z.literal('again') }),
  ])
  .register(named, { id: 'RequestTold' })

const actFields = {
  id: z.number(),
  at: time,
  session: z.string().describe('empty for what was done to no session'),
  what: z.enum(DEEDS),
  who: z.string(),
  where: z.enum([...PLACES, 'daemon', 'api']),
  words: z.string(),
}
const act = z.strictObject(actFields).register(named, { id: 'Act' })

export const acts = z
  .strictObject({ acts: z.array(act).describe('newest first') })
  .register(named, { id: 'Acts' })

const auditedAct = z
  .strictObject({
    ...actFields,
    shown: maybe.describe('canonical JSON of what was shown when it was decided, up to 256 KB'),
    digest: maybe.describe('SHA-256 of the whole of it'),
    previous: z.string().describe('the hash of the act before it'),
    hash: z.string().describe('SHA-256 of `previous` and the canonical JSON of the other fields'),
  })
  .register(named, { id: 'AuditedAct' })

export const audit = z
  .strictObject({ acts: z.array(auditedAct).describe('oldest first') })
  .register(named, { id: 'AuditPage' })
