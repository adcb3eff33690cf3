import { parseSync } from 'vite'

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** Attributes whose value a user sees or hears. */
const SHOWN_ATTRIBUTES =
  /^(aria-label|aria-description|aria-roledescription|alt|title|placeholder)$/
/** Names of fields, variables and attributes that hold styles, not texts. */
const STYLES = /^(class|className|style|d|viewBox|transform|points|fontFamily|sizes|rel|sandbox)$/
/** Queries, commands of tmux, headers of HTTP and HTML, selectors. */
const NOT_PROSE = new RegExp(
  [
    '^(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|ALTER|BEGIN|DROP)\\b|\\b(WHERE|ORDER BY) ',
    '^(\\{\\w+\\} ; )?(if -F|display-message|capture-pane|refresh-client|list-\\w+|send-keys) ',
    '^(rename-window|switch-client|bind-key|-A) |#\\{(pane|client|window|version)',
    "charset=|^Bearer |'(self|none)'|max-age=|^<|^# TYPE|^\\(prefers-|\\w+=\\?|[?>] \\?",
  ].join('|'),
)
const TYPES = /^TS(?!AsExpression|NonNull|Satisfies)/

/** Texts of a script that a user can see, in the order of the source. */
export function wordsOfSource(path: string, text: string): readonly string[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const words: string[] = []
  visit(program as unknown as Node, words, text)
  return words
}

function visit(node: Node, words: string[], source: string): void {
  if (isHidden(node, source)) return
  const text = textOf(node, source)
  if (text !== undefined) {
    words.push(text)
    // Texts within a template's parts are texts too: `${count === 1 ? 'one agent' : …}`.
    for (const part of partsOf(node)) visit(part, words, source)
    return
  }
  for (const child of childrenOf(node)) visit(child, words, source)
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.type === 'string'
}

function isHidden(node: Node, source: string): boolean {
  if (node.type.startsWith('Import') || TYPES.test(node.type)) return true
  if (node.type === 'TaggedTemplateExpression') return true
  if (node.type === 'NewExpression' && sourceOf(node.callee, source) === 'RegExp') return true
  if (node.type === 'Property' || node.type === 'VariableDeclarator') {
    return STYLES.test(sourceOf(node.key ?? node.id, source))
  }
  return node.type === 'JSXAttribute' && STYLES.test(sourceOf(node.name, source))
}

function textOf(node: Node, source: string): string | undefined {
  if (node.type === 'JSXText') return worded(String(node.value).replaceAll(/\s+/g, ' ').trim())
  if (node.type === 'JSXAttribute' && SHOWN_ATTRIBUTES.test(sourceOf(node.name, source))) {
    const value = node.value as Node | null
    return value?.type === 'Literal' ? worded(String(value.value)) : undefined
  }
  if (node.type === 'Literal' && typeof node.value === 'string') return sentence(node.value)
  const joined = joinedText(node, source)
  return joined === undefined ? undefined : sentence(joined)
}

/** The text of a template, or of texts put together with `+`. */
function joinedText(node: Node, source: string): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return templateText(node, source)
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const left = joinedText(node.left as Node, source)
  const right = joinedText(node.right as Node, source)
  return left === undefined || right === undefined ? undefined : left + right
}

function partsOf(node: Node): readonly Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions as Node[]
  if (node.type !== 'BinaryExpression') return []
  return [...partsOf(node.left as Node), ...partsOf(node.right as Node)]
}

function templateText(node: Node, source: string): string {
  const quasis = node.quasis as { readonly value: { readonly cooked: string } }[]
  const parts = node.expressions as Node[]
  return quasis.map((quasi, i) => quasi.value.cooked + partName(parts[i], source)).join('')
}

/** A template's part by its name: `{count}`, `{session.title}`, `{…}` where it is worked out. */
function partName(part: Node | undefined, source: string): string {
  if (part === undefined) return ''
  const text = sourceOf(part, source).replaceAll(/\s+/g, ' ')
  return `{${/^[\w.?[\]()]+$/.test(text) && text.length < 40 ? text : '…'}}`
}

function worded(text: string): string | undefined {
  return /\p{L}{2}/u.test(text) ? text : undefined
}

/** A text of several words, as opposed to a key, a path, a selector or a query. */
function sentence(text: string): string | undefined {
  const bare = text.replaceAll(/\{[^}]*\}/g, '')
  if (!/\p{L}{2}/u.test(bare) || !/\S\s+\S/.test(text.trim())) return undefined
  return NOT_PROSE.test(text) ? undefined : text.replaceAll(/[^\P{Cc}\n]/gu, '').trimEnd()
}

function sourceOf(node: unknown, source: string): string {
  if (!isNode(node)) return ''
  return source.slice(node.start as number, node.end as number)
}

/** Quoted texts that a shell script prints: what it writes for a person or for its client. */
export function wordsOfShell(text: string): readonly string[] {
  const printing = text.split('\n').filter((line) => /^[^#]*\b(echo|printf|say|fail)\b/.test(line))
  return printing.flatMap((line) =>
    [...line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"/g)].flatMap(([, single, double]) => {
      return sentence(single ?? double ?? '') ?? []
    }),
  )
}
