import fc from 'fast-check'

const blank = fc.constantFrom('', '', ' ', '\n', '\n  ', '\t', '\r\n    ', '// c\n', '/* c */')
const leaf = fc.constantFrom('1', 'null', '"a"', '"// no comment"', '[]', '{}', '"\\u0041,"')

function listOf(items: fc.Arbitrary<string>, open: string, close: string) {
  const parts = fc.array(fc.tuple(blank, items, blank), { maxLength: 3 })
  return fc.tuple(parts, blank, fc.boolean()).map(([some, inside, trailing]) => {
    const end = some.length > 0 && trailing ? ',' : ''
    const body = some.length > 0 ? some.map((part) => part.join('')).join(',') : ''
    return `${open}${body}${end}${inside}${close}`
  })
}

function member(key: fc.Arbitrary<string>, value: fc.Arbitrary<string>) {
  const parts = fc.tuple(key, blank, blank, value)
  return parts.map(([name, before, after, what]) => `"${name}"${before}:${after}${what}`)
}

const theirs = fc.constantFrom(
  '{"hooks":[{"type":"command","command":"x"}]}',
  '{}',
  '{ "hooks": [] }',
)
const events = fc.constantFrom('Stop', 'PreToolUse', 'SessionStart', 'Other')
const hooks = listOf(member(events, listOf(theirs, '[', ']')), '{', '}')
const inEnv = fc.constantFrom('A', 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP')
const env = listOf(member(inEnv, fc.constantFrom('"1"', '"1000"')), '{', '}')
const plugins = listOf(member(fc.constantFrom('a@b', 'c@d'), fc.constant('true')), '{', '}')
const root = listOf(
  fc.oneof(
    member(fc.constantFrom('a', 'b'), leaf),
    member(fc.constant('hooks'), hooks),
    member(fc.constant('env'), env),
    member(fc.constant('enabledPlugins'), plugins),
  ),
  '{',
  '}',
)

/** Any settings file: values, layout, comments, commas. */
export const anySettings = fc
  .tuple(fc.constantFrom('', '\uFEFF'), blank, root, blank)
  .map((parts) => parts.join(''))
