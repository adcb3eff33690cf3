import type { RequestChoice } from '../protocol/request.ts'
import type { AskedCall } from './answers.ts'

type AskedQuestion = AskedCall['questions'][number]

/** The keys that give an answer, by tmux's names, or why there are none. */
export type AnswerKeys = { readonly keys: readonly string[] } | { readonly why: string }

/** Requests that can be answered by keys, in the dialog on the agent's own screen. */
export interface PaneAnswers {
  /**
   * SPEC AN33. The keys for a choice where the screen shows the whole dialog of exactly this
   * request; without a choice none. A screen of any content gives keys or a reason, never an error.
   */
  readonly keysFor: (
    asked: AskedCall,
    screen: string,
    choice: RequestChoice | undefined,
  ) => AnswerKeys
}

/** How an agent draws the requests whose whole content is on the screen. */
interface Dialogs<Shown> {
  /** The tool whose dialog shows the whole command. */
  readonly commandTool: string
  /** The dialog of exactly this command; undefined if the screen shows anything else. */
  readonly commandOn: (asked: AskedCall, screen: string) => Shown | undefined
  readonly keysOf: (shown: Shown, choice: RequestChoice['choice']) => AnswerKeys
  /** Whether the screen shows all of exactly this question, whose options have the keys from 1. */
  readonly isQuestionOn: (question: AskedQuestion, screen: string) => boolean
}

const ANOTHER = 'the screen shows another dialog, or only part of this one'
const TAKES_NO_WORD = 'the dialog takes no message; deny without one'

export function paneAnswersOf<Shown>(dialogs: Dialogs<Shown>): PaneAnswers {
  return {
    keysFor: (asked, screen, choice) => {
      if (asked.cut) return { why: 'the request is too long to be compared with the screen' }
      if (asked.kind === 'question') return questionKeys(dialogs, asked, screen, choice)
      // A plan is drawn as Markdown, an edit as part of its file: less, or more, than the request.
      if (asked.kind === 'plan' || asked.tool !== dialogs.commandTool)
        return { why: 'vigil cannot tell whether the screen shows this request' }
      return commandKeys(dialogs, asked, screen, choice)
    },
  }
}

function commandKeys<Shown>(
  { commandOn, keysOf }: Dialogs<Shown>,
  asked: AskedCall,
  screen: string,
  choice: RequestChoice | undefined,
): AnswerKeys {
  const shown = commandOn(asked, screen)
  if (shown === undefined) return { why: ANOTHER }
  if (!choice) return { keys: [] }
  if (choice.suggestion !== undefined)
    return { why: 'its suggestions can only be chosen in its terminal' }
  if (choice.word?.trim()) return { why: TAKES_NO_WORD }
  return keysOf(shown, choice.choice)
}

function questionKeys<Shown>(
  { isQuestionOn }: Dialogs<Shown>,
  asked: AskedCall,
  screen: string,
  choice: RequestChoice | undefined,
): AnswerKeys {
  const [question, ...more] = asked.questions
  if (!question || question.several || more.length > 0)
    return { why: 'several answers can only be given in its terminal' }
  if (!isQuestionOn(question, screen)) return { why: ANOTHER }
  if (!choice) return { keys: [] }
  if (choice.word?.trim()) return { why: TAKES_NO_WORD }
  if (choice.choice === 'deny') return { keys: ['Escape'] }
  const given = [choice.answers?.[question.question] ?? []].flat()
  const place = question.options.findIndex(({ label }) => given.length === 1 && label === given[0])
  if (place < 0) return { why: 'your own words can only be typed in its terminal' }
  return { keys: [String(place + 1)] }
}
