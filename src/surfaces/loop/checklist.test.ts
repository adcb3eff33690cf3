import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checklistItems, itemsIn, withTickOff } from './checklist.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-checklist-'))
afterAll(() => rmSync(folder, { recursive: true }))

const titles = (markdown: string) => itemsIn(markdown).map(({ title }) => title)
const ids = (markdown: string) => itemsIn(markdown).map(({ id }) => id)

describe('[LP50] the items of a checklist', () => {
  it.each([
    ['every bullet', '- [ ] a\n* [ ] b\n+ [ ] c\n1. [ ] d\n', ['a', 'b', 'c', 'd']],
    ['unchecked ones alone', '- [x] a\n- [X] b\n- [ ] c\n', ['c']],
    ['not what is no box', '- a\n- [] b\n- [-] c\n- [ ]d\n- \\[ ] e\n[ ] f\n- [x](u)\n', []],
    ['not an empty one', '- [ ]\n- [ ]   \n- [ ] a\n', ['a']],
    ['not in a fence', '```\n- [ ] a\n```\n~~~md\n- [ ] b\n~~~\n- [ ] c', ['c']],
    ['not in indented code', 'text\n\n    - [ ] a\n\n- [ ] b', ['b']],
    ['not in a comment', '<!--\n- [ ] a\n-->\n\n- [ ] b', ['b']],
    ['not in a quote', '> - [ ] a\n\n- [ ] b', ['b']],
    ['words over two lines', '- [ ] a\n  and *b*\n- [ ] c', ['a and *b*', 'c']],
    ['lines that end as on Windows', '- [ ] a\r\n- [x] b\r\n- [ ] c\r\n', ['a', 'c']],
    ['in several lists', '# One\n- [ ] a\n\ntext\n\n## Two\n- [ ] b', ['a', 'b']],
  ])('are %s', (_, markdown, expected) => {
    expect(titles(markdown)).toEqual(expected)
  })

  it('that are part of another come before it', () => {
    expect(titles('- [ ] a\n  - [ ] b\n    - [ ] c\n  - [x] d\n- [ ] e')).toEqual(['c', 'e'])
    expect(titles('- [ ] a\n  - [ ] b\n    - [x] c\n  - [x] d\n- [ ] e')).toEqual(['b', 'e'])
    expect(titles('- [ ] a\n  - [x] b\n    - [x] c\n  - [x] d\n- [ ] e')).toEqual(['a', 'e'])
    expect(titles('- just words\n  - [ ] b')).toEqual(['b'])
  })

  it('tell where they belong, and what stands below', () => {
    const [item] = itemsIn('# Parser\n- [ ] errors\n  - [ ] line\n\n    As gcc.\n')
    expect(item?.text).toBe('Part of: Parser › errors\n\nAs gcc.')
  })

  it('keep their ids when others come, go or are ticked off', () => {
    const [a, b] = ids('- [ ] a\n- [ ] b')
    expect(ids('- [ ] new\n- [x] a\n- [ ]  b\n')[1]).toBe(b)
    expect(ids('1. [ ] a')).toEqual([a])
    expect(a).not.toBe(b)
  })

  it('have an id of their own even where two are called the same', () => {
    const [first, second] = ids('- [ ] a\n- [ ] a')
    expect(second).not.toBe(first)
    expect(ids('- [x] a\n- [ ] a')).toEqual([second])
    expect(ids('- [ ] a\n- [x] a')).toEqual([first])
  })

  it('hold nothing that moves a cursor', () => {
    const [item] = itemsIn('- [ ] a\u001b]52;c;aGk=\u0007b\u202e\n\n  c\u001b[2J')
    expect(item?.title).toBe('ab')
    expect(item?.text).toBe('c')
  })

  it('are not longer than can be shown', () => {
    const [item] = itemsIn(`- [ ] ${'👍'.repeat(300)}\n\n  ${'b'.repeat(50_000)}`)
    expect([...(item?.title ?? '')]).toHaveLength(200)
    expect(item?.title.isWellFormed()).toBe(true)
    expect(item?.text?.length).toBe(20_000)
  })
})

describe('[LP50] an item is ticked off', () => {
  const item = { id: 'x', title: 'x', text: 'y' }
  const path = join(folder, 'repo/docs/list.md')
  const made = { worktree: { path: join(folder, 'tree') }, from: join(folder, 'repo') }
  const said = (where: string, more = '') =>
    `When it is done, tick it off in ${where}: - [x]${more}\n\ny`

  it('in the list itself, though it lies outside of the worktree', () => {
    expect(withTickOff(item, path, undefined)).toEqual({ ...item, text: said(path) })
    const though = ' (you may change this file, although it is outside)'
    expect(withTickOff(item, path, made).text).toBe(said(path, though))
    const other = join(folder, 'other.md')
    expect(withTickOff(item, other, made).text).toBe(said(other, though))
  })

  it('in the worktree’s own copy where there is one', () => {
    const copy = join(folder, 'tree/docs/list.md')
    mkdirSync(join(folder, 'tree/docs'), { recursive: true })
    writeFileSync(copy, '- [ ] x')
    expect(withTickOff(item, path, made).text).toBe(said(copy))
  })
})

describe('[LP50] a checklist’s file', () => {
  it('is read each time', () => {
    const path = join(folder, 'list.md')
    writeFileSync(path, '- [ ] a\n- [ ] b\n')
    expect(checklistItems(path)).toHaveLength(2)
    writeFileSync(path, '- [x] a\n- [ ] b\n')
    expect(checklistItems(path)).toMatchObject([{ title: 'b' }])
  })

  it('that is missing, a folder or too large is said', () => {
    expect(() => checklistItems(join(folder, 'none.md'))).toThrow(/none\.md: no such file/)
    expect(() => checklistItems(folder)).toThrow(/found a folder/)
    const large = join(folder, 'large.md')
    writeFileSync(large, '-'.repeat(1_000_001))
    expect(() => checklistItems(large)).toThrow(/larger than 1 MB/)
  })
})
