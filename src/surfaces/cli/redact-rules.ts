import type { Agent } from '../../agents/agent.ts'
import { AGENTS, agentOf } from '../../agents/index.ts'
import type { ExportRule, RedactRules } from '../../agents/redact.ts'
import { SOURCES } from '../../core/signal.ts'

/** What may stay visible in every agent's reports: the fields that vigil itself writes. */
const COMMON: RedactRules = {
  fields: {
    word: 'source agent version signal state turn terminal',
    id: 'session start',
    path: 'path',
    folder: 'cwd',
    tmux: 'tmux pane tmuxPane',
    tty: 'tty',
  },
  own: 'env payload entry file loop',
  data: { atTop: '', anywhere: '' },
  words: {
    source: [...SOURCES, 'meta vigil'],
    terminal: [
      'Apple_Terminal iTerm.app vscode tmux WezTerm ghostty kitty alacritty gnome-terminal konsole',
      'screen rxvt Hyper WarpTerminal',
    ],
    state: ['IDLE ACTIVE COMPLETING STUCK ABORTED'],
    turn: ['let kept'],
  },
  forms: { version: /^\d{1,5}(?:\.\d{1,5}){1,3}$/, signal: /^SIG[A-Z]{2,8}\d{0,2}$/ },
  deciding: '',
  verdict: { cause: [], how: [] },
  folders: '. .. home Users tmp var private run user',
  screen: { words: '' },
}

/** Ids that programs make; an id that a user chose is hidden like any text. */
const IDS = new RegExp(
  `^(?:${[
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '[a-z]?[0-9a-f]{5,40}',
    '[A-Za-z]{0,2}[-_]?\\d{1,20}|[A-Za-z]',
  ].join('|')})$`,
)

/** An agent's rules combined with the common ones. */
export class Rules {
  readonly agent: Agent | undefined
  readonly own: RedactRules
  readonly #tellings = new Map<string, ExportRule>()
  readonly #sets = new Map<string, ReadonlySet<string>>()

  constructor(agent: Agent | undefined) {
    this.agent = agent
    this.own = agent?.redact ?? COMMON
    for (const { fields } of this.#both)
      for (const [telling, names] of Object.entries(fields))
        for (const name of names.split(' ')) this.#tellings.set(name, telling as ExportRule)
  }

  get #both(): readonly RedactRules[] {
    return [COMMON, this.own]
  }

  tellingOf(name: string): ExportRule | undefined {
    return this.#tellings.get(name)
  }

  /** An object or list whose fields are the agent's own. */
  isOwn(name: string): boolean {
    return this.#has('own', name, ({ own }) => own)
  }

  isDataName(name: string, depth: number): boolean {
    if (this.#has('anywhere', name, ({ data }) => data.anywhere)) return true
    return depth <= 1 && this.#has('top', name, ({ data }) => data.atTop)
  }

  isDeciding(word: string): boolean {
    return this.#has('deciding', word, ({ deciding }) => deciding)
  }

  isFolder(part: string): boolean {
    return part === '' || this.#has('folders', part, ({ folders }) => folders)
  }

  isScreenWord(word: string): boolean {
    return this.#has('screen', word, ({ screen }) => screen.words)
  }

  /** Whether a value of this field is a word of the agent or of vigil. */
  isOwnWord(field: string, value: string): boolean {
    if (field === 'agent') return AGENTS.some(({ id }) => id === value)
    const words = ({ words: all }: RedactRules) =>
      Object.hasOwn(all, field) ? (all[field] ?? []).join(' ') : ''
    if (this.#has(`words of ${field}`, value, words)) return true
    return this.#both.some(
      ({ forms }) => Object.hasOwn(forms, field) && forms[field]?.test(value) === true,
    )
  }

  isId(value: string): boolean {
    return IDS.test(value) || this.own.ids?.test(value) === true
  }

  #has(list: string, word: string, of: (rules: RedactRules) => string): boolean {
    let known = this.#sets.get(list)
    if (!known) {
      known = new Set(this.#both.flatMap((rules) => of(rules).split(' ')))
      this.#sets.set(list, known)
    }
    return word !== '' && known.has(word)
  }
}

export function rulesOf(agent: unknown): Rules {
  return new Rules(agentOf(agent))
}

/** Whether an agent's verdicts use this word as a cause, or for how something ended. */
export function isVerdictWord(kind: 'cause' | 'how', word: string): boolean {
  return AGENTS.some((agent) => {
    const rules = new Rules(agent)
    return rules.own.verdict[kind].some((field) => rules.isOwnWord(field, word))
  })
}
