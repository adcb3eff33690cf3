import type { ActBook } from '../../store/acts.ts'
import type { Act, Acts } from './shapes.ts'

/** What is told of an act: a word to an agent may be a page, a question's answer a letter. */
const WORDS_MAX_CHARS = 2_000
const WHO_MAX_CHARS = 200

/** SPEC AN21. What somebody did, in the log. */
export class LoggedActs implements Acts {
  readonly #book: Pick<ActBook, 'note' | 'list'>
  readonly #now: () => number

  constructor(book: Pick<ActBook, 'note' | 'list'>, now: () => number) {
    this.#book = book
    this.#now = now
  }

  note(act: Omit<Act, 'id' | 'at'>): Act {
    const who = act.who.slice(0, WHO_MAX_CHARS)
    const words = act.words.slice(0, WORDS_MAX_CHARS)
    const noted = { ...act, who, words, at: this.#now() }
    return { ...noted, id: this.#book.note(noted) }
  }

  list(filter: Parameters<Acts['list']>[0]): readonly Act[] {
    return this.#book.list(filter) as readonly Act[]
  }
}
