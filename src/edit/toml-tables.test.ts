import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTables, stripTables, type TomlTable, tablesIn } from './toml-tables.ts'

const MARKS: TomlTable[] = [
  { path: ['hooks', 'state', '/h/hooks.json:stop:0:0'], texts: { mark: 'sha256:1' } },
  { path: ['hooks', 'state', '/h "x"/hooks.json:stop:0:0'], texts: { mark: 'sha256:2' } },
]
const isOwn = ({ texts }: TomlTable) => /^sha256:[12]$/.test(texts.mark ?? '')
const add = (text: string) => addTables(text, MARKS, 'config.toml')
const strip = (text: string, lead: string) => stripTables(text, isOwn, lead, 'config.toml')

const FILES: [string, string][] = [
  ['empty', ''],
  ['one comment', '# mine\n'],
  ['no newline at the end', 'model = "x" # why'],
  ['a table at the end', 'model = "x"\n\n[tui]\nbell = true\n'],
  ['CRLF', '# a\r\nmodel = "x"\r\n[tui]\r\nbell = true\r\n'],
  ['CRLF, no newline at the end', 'a = 1\r\n[b]\r\nc = 2'],
  ['byte order mark', '\uFEFFmodel = "x"\n'],
  ['only a byte order mark', '\uFEFF'],
  ['blank lines at the end', 'a = 1\n\n\n'],
  ['a comment at the end', '[a]\nb = 1\n# the end'],
  ['texts that look like headers', 'a = """\n[hooks]\n"""\nb = \'\'\'\n[[hooks]]\'\'\'\n'],
  ['lists over lines', 'a = [\n  "]", # ]\n  [1, 2],\n  { b = "}" },\n]\n'],
  ['quotes at the end of a text', 'a = """x""""\nb = 1\n'],
  ['hooks of the user’s', '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\n'],
  ['marks of the user’s', '[hooks.state."/p:stop:0:0"]\nmark = "sha256:9"\n'],
  ['dotted keys', 'hooks.state.other.mark = "x"\n[hooks]\nStop = []\n'],
  ['odd keys', '"a.b" = 1\n\'c\'."\\u0064" . e = 2\n[ x . "y" ]\n'],
]

describe('tables added to a TOML file', () => {
  it.each(FILES)('[I26] %s: all bytes stay, the tables are behind them', (_, text) => {
    const { text: added } = add(text)
    expect(added.startsWith(text)).toBe(true)
    expect(tablesIn(added, '').slice(-2)).toMatchObject(MARKS)
    expect(/[^\r]\n/.test(added) && /\r\n/.test(added)).toBe(false)
  })

  it.each(FILES)('[I27] %s: taking them out gives back every byte', (_, text) => {
    const { text: added, lead } = add(text)
    expect(strip(added, lead)).toBe(text)
  })

  it.each([
    ['hooks = {}', '1:1'],
    ['a = 1\nhooks.state = { x = 1 }', '2:1'],
    ['[hooks]\nstate = {}', '2:1'],
    ['[[hooks]]\na = 1', '1:1'],
    ['[[hooks.state]]\na = 1', '1:1'],
    ['[hooks.state]\n"/h/hooks.json:stop:0:0" = {}', '2:1'],
    ['[hooks.state]\n"/h/hooks.json:stop:0:0".mark = "x"', '2:1'],
    ['[hooks.state."/h/hooks.json:stop:0:0"]', '1:1'],
  ])('[I26] %j leaves no place for them and is refused with its place', (text, place) => {
    expect(() => add(text)).toThrow(`config.toml:${place}: `)
    expect(() => add(text)).toThrow('leaves no place for [hooks.state.…]')
  })

  it.each([
    ['a', '1:2', 'expected ='],
    ['a = ', '1:5', 'expected a value'],
    ['a = "x', '1:5', 'expected the end of the text'],
    ['a = [1,\n2', '2:2', 'expected a closing bracket'],
    ['a = 1]', '1:7', 'expected no closing bracket'],
    ['[a', '1:3', 'expected ]'],
    ['[a] b', '1:4', 'expected the end of the line'],
    ['= 1', '1:1', 'expected a key'],
    ['"\\q" = 1', '1:1', 'unknown escape'],
  ])('[I5] %j is refused with its place', (text, place, what) => {
    expect(() => add(text)).toThrow(`config.toml:${place}: `)
    expect(() => add(text)).toThrow(what)
  })
})

describe('a TOML file that was edited since', () => {
  it('[I27] what stands before, between and after the tables stays', () => {
    const { text, lead } = add('a = 1')
    const edited = text
      .replace('a = 1', 'a = 2\nb = 3')
      .replace('[hooks.state."/h \\', '# between\n[hooks.state."/h \\')
      .concat('# after\n\n[later]\nc = 4\n')
    expect(strip(edited, lead)).toBe('a = 2\nb = 3\n# between\n# after\n\n[later]\nc = 4\n')
  })

  it('[I27] a key put into one of them goes with it, and another table’s stays', () => {
    const { text, lead } = add('a = 1\n')
    const edited = `${text}enabled = false\n[x]\nmark = "sha256:3"\n`
    expect(strip(edited, lead)).toBe('a = 1\n[x]\nmark = "sha256:3"\n')
  })
})

it('[I26][I27] any file made of these parts comes back', () => {
  const parts = FILES.map(([, text]) => text.replace('\uFEFF', '').replace(/[^\n]$/, '$&\n'))
  const alike = parts.filter((text) => !text.includes('\r') && !/^hooks|^"a\.b"/.test(text))
  const tops = alike.filter((text) => !text.includes('['))
  const file = fc.tuple(fc.subarray(tops), fc.shuffledSubarray(alike), fc.boolean())
  fc.assert(
    fc.property(file, ([first, rest, cut]) => {
      const whole = [...first, ...rest].join('')
      const text = cut ? whole.trimEnd() : whole
      const { text: added, lead } = add(text)
      expect(strip(added, lead)).toBe(text)
      expect(strip(`${added}[more]\n`, lead)).toContain('[more]\n')
    }),
    { numRuns: 100 },
  )
})
