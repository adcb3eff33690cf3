import { type ReactNode, type RefObject, useId, useState } from 'react'
import type { OpenRequest, RequestQuestion } from '../../../protocol/request.ts'
import { Long, Safe } from '../parts/safe-text.tsx'
import { answersOf, type Choice, denying, NOTHING_CHOSEN, ownPicked, picked } from './draft.ts'
import { SeenMark } from './subject.tsx'
import type { Answering } from './use-answering.ts'
import { WhyNot } from './why-not.tsx'

interface QuestionsProps {
  readonly request: OpenRequest
  readonly answering: Answering
  /** The element with the questions; children are the other parts of the request. */
  readonly box: RefObject<HTMLDivElement | null>
  readonly children: ReactNode
}

/** All questions of a request, answered together. */
export function QuestionForm({ request, answering, box, children }: QuestionsProps) {
  const { questions } = request
  const [choices, setChoices] = useState<readonly Choice[]>(() =>
    questions.map(() => NOTHING_CHOSEN),
  )
  const answer = answersOf(request, choices)
  const { answerable, ready, allows, send } = answering
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (answer) send(answer)
      }}
    >
      <div className="subject" ref={box}>
        {questions.map((question, at) => (
          <OneQuestion
            key={question.question}
            question={question}
            choice={choices[at] ?? NOTHING_CHOSEN}
            disabled={!answerable}
            onChoice={(choice) => setChoices(choices.with(at, choice))}
          />
        ))}
        {children}
        <SeenMark />
      </div>
      {answerable && (
        <div className="acts">
          <WhyNot answering={answering} />
          <button type="submit" className="button primary" disabled={!allows || !answer}>
            Answer
          </button>
          <button
            type="button"
            className="button"
            disabled={!ready}
            onClick={() => send(denying(''))}
          >
            Do not answer
          </button>
        </div>
      )}
    </form>
  )
}

interface OneProps {
  readonly question: RequestQuestion
  readonly choice: Choice
  readonly disabled: boolean
  readonly onChoice: (choice: Choice) => void
}

function OneQuestion({ question, choice, disabled, onChoice }: OneProps) {
  const name = useId()
  const type = question.several ? 'checkbox' : 'radio'
  return (
    <fieldset className="question" disabled={disabled}>
      <SeenMark />
      <legend>
        {question.header !== null && (
          <span className="chip">
            <Safe text={question.header} />
          </span>
        )}
        <Long text={question.question} />
      </legend>
      {question.options.map(({ label, description }) => (
        <label key={label} className="option">
          <input
            type={type}
            name={name}
            checked={choice.picked.includes(label)}
            onChange={() => onChoice(picked(choice, question, label))}
          />
          <span>
            <strong>
              <Safe text={label} />
            </strong>
            {description !== null && (
              <span className="dim">
                <Long text={description} />
              </span>
            )}
          </span>
        </label>
      ))}
      <label className="option own">
        <input
          type={type}
          name={name}
          checked={choice.own}
          aria-label="in your own words"
          onChange={() => onChoice(ownPicked(choice, question))}
        />
        <input
          type="text"
          placeholder="In your own words"
          aria-label="your own words"
          value={choice.words}
          maxLength={2_000}
          onChange={({ target }) =>
            onChoice({
              ...(choice.own ? choice : ownPicked(choice, question)),
              words: target.value,
            })
          }
        />
      </label>
    </fieldset>
  )
}
