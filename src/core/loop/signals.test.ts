import { describe, expect, it } from 'vitest'
import { COMPLETE } from '../../../test/support/loop-machine.ts'
import { SIGNAL_READ_MAX_CHARS } from '../limits.ts'
import { MODES } from './run.ts'
import { givesUp, signalLine } from './signal-words.ts'
import { signalIn } from './signals.ts'

const WORDS = {
  loop: ['COMPLETE', 'MAX_ITERATIONS', 'STUCK'],
  issue: ['COMPLETE', 'MAX_ITERATIONS', 'STUCK', 'DONE'],
  grind: ['NO_MORE_ISSUES', 'MAX_ISSUES'],
}

describe('which words', () => {
  it.each(MODES)('[LP8] %s mode has its own signals and no other', (mode) => {
    const all = MODES.flatMap((other) => WORDS[other].map((word) => signalLine(other, word) ?? ''))
    const heard = new Set(all.flatMap((line) => signalIn(`Well.\n\n${line}`, mode) ?? []))
    expect([...heard].toSorted()).toEqual(WORDS[mode].toSorted())
  })

  it.each([
    '<loop-done>FINISHED</loop-done>',
    '<loop-done></loop-done>',
    '<loop-done>complete</loop-done>',
    '<loop-done> COMPLETE </loop-done>',
    '<loop-done>\nCOMPLETE\n</loop-done>',
    '<loop-done>COMPLETE</loop>',
    '<LOOP-DONE>COMPLETE</LOOP-DONE>',
    '<issue-complete>COMPLETE</issue-complete>',
    '&lt;loop-done&gt;COMPLETE&lt;/loop-done&gt;',
    '\\<loop-done>COMPLETE</loop-done>',
  ])('[LP8] %j is none', (line) => {
    expect(signalIn(line, 'issue')).toBeUndefined()
  })

  it('[LP8] the last one counts', () => {
    const stuck = '<loop-done>STUCK</loop-done>'
    expect(signalIn(`${stuck}\n\nNo, wait.\n\n${COMPLETE}`, 'loop')).toBe('COMPLETE')
    expect(signalIn(`${COMPLETE}\n\n${stuck}\n\n\`\`\`\n${COMPLETE}\n\`\`\``, 'loop')).toBe('STUCK')
  })

  it('[LP12] giving up differs from a claim to be done', () => {
    const all = MODES.flatMap((mode) => WORDS[mode]).filter(givesUp)
    expect([...new Set(all)].toSorted()).toEqual(['MAX_ISSUES', 'MAX_ITERATIONS', 'STUCK'])
  })
})

describe('where it counts', () => {
  it.each([
    ['alone', COMPLETE],
    ['after a paragraph', `All is done.\n\n${COMPLETE}`],
    ['right below a paragraph’s line', `All is done.\n${COMPLETE}`],
    ['above one', `${COMPLETE}\nThat was it.`],
    ['between white space', `   ${COMPLETE} \t\n\n`],
    ['with carriage returns', `Done.\r\n\r\n${COMPLETE}\r\n`],
    ['behind a byte order mark', `\uFEFF${COMPLETE}`],
    ['in an item of a list', `- one\n- two\n\n  ${COMPLETE}`],
    ['lazily, below an item', `- one\n- two\n${COMPLETE}`],
    ['below a heading', `## Result\n${COMPLETE}`],
    ['above a line of dashes', `Done.\n${COMPLETE}\n---`],
    ['within HTML', `<div>\n${COMPLETE}\n</div>`],
    ['indented, but going on a paragraph', `Done.\n    ${COMPLETE}`],
    ['behind a closed fence', `\`\`\`sh\nnpm test\n\`\`\`\n${COMPLETE}`],
    ['behind a fence of tildes that shows backticks', `~~~\n\`\`\`\n~~~\n\n${COMPLETE}`],
    ['behind a quote and a blank line', `> Say it.\n\n${COMPLETE}`],
    ['behind a comment', `<!-- checked -->\n${COMPLETE}`],
    ['behind the shortest comment', `<!-->\n${COMPLETE}`],
    ['behind a comment’s beginning that is text', `Write <!-- to begin.\n\n${COMPLETE}`],
    ['behind backticks that pair with none', `A \` alone.\n\n${COMPLETE}`],
    ['behind ten stars of a ruler', `* * * * * * * * * *\n\n${COMPLETE}`],
    ['between bold and links', `**Done**, see [it](https://a.b/c_d).\n\n${COMPLETE}`],
  ])('[LP9] %s', (_, message) => {
    expect(signalIn(message, 'loop')).toBe('COMPLETE')
  })
})

describe('where it does not', () => {
  it.each([
    ['within a sentence', `I say ${COMPLETE} when it is done.`],
    ['with a word before it', `Signal: ${COMPLETE}`],
    ['with a dot behind it', `${COMPLETE}.`],
    ['as an item of a list', `Say one of:\n- ${COMPLETE}\n- <loop-done>STUCK</loop-done>`],
    ['in a fence', `\`\`\`\n${COMPLETE}\n\`\`\``],
    ['in a fence with a language', `Like this:\n\n\`\`\`xml\n${COMPLETE}\n\`\`\`\n\nAnd so on.`],
    ['in a fence of tildes', `~~~\n${COMPLETE}\n~~~`],
    ['in a longer fence that shows a fence', `\`\`\`\`\n\`\`\`\n${COMPLETE}\n\`\`\`\n\`\`\`\``],
    ['in a fence within a list', `- so:\n  \`\`\`\n  ${COMPLETE}\n  \`\`\``],
    ['in a fence that is never closed', `\`\`\`\n${COMPLETE}\n\nDone.`],
    ['in indented code', `So:\n\n    ${COMPLETE}\n`],
    ['in code indented by a tab', `So:\n\n\t${COMPLETE}\n`],
    ['as a code span', `\`${COMPLETE}\``],
    ['in a code span over lines', `Say \`\n${COMPLETE}\n\` then.`],
    ['in a quote', `> ${COMPLETE}`],
    ['in a quote’s paragraph, without its mark', `> You said:\n${COMPLETE}`],
    ['in a comment', `<!-- ${COMPLETE} -->`],
    ['in a comment over lines', `<!--\n${COMPLETE}\n-->`],
    ['in a comment within a paragraph', `Done <!--\n${COMPLETE}\n--> so far.`],
    ['in a comment within HTML', `<div>\n<!--\n${COMPLETE}\n-->\n</div>`],
    ['in one with a blank line', `<div>\n<!--\n\n${COMPLETE}\n-->\n</div>`],
    ['in a comment that is never closed', `<!-- later:\n\n${COMPLETE}`],
    ['in HTML for code', `<pre>\n${COMPLETE}\n</pre>`],
    ['in a script', `<script>\n\n${COMPLETE}\n\n</script>`],
    ['in a declaration', `<![CDATA[\n${COMPLETE}\n]]>`],
  ])('[LP9] %s', (_, message) => {
    expect(signalIn(message, 'loop')).toBeUndefined()
  })

  it('[LP9] an agent that explains its signal, as in the document', () => {
    const message = `Here's how to signal completion:\n\`${COMPLETE}\``
    expect(signalIn(message, 'loop')).toBeUndefined()
  })
})

describe('long messages', () => {
  const line = `${'some words of an answer '.repeat(4)}\n`
  const long = line.repeat(Math.ceil(1_000_000 / line.length))

  it('[LP10] it is found before, between and behind a megabyte', () => {
    expect(signalIn(`${long}\n${COMPLETE}`, 'loop')).toBe('COMPLETE')
    expect(signalIn(`${COMPLETE}\n\n${long}`, 'loop')).toBe('COMPLETE')
    expect(signalIn(`${long}\n${COMPLETE}\n\n${long}`, 'loop')).toBe('COMPLETE')
    expect(signalIn(long, 'loop')).toBeUndefined()
  })

  it.each([
    ['a fence', '```sh\n', '```\n'],
    ['a fence of tildes', '~~~~\n~~~\n', '~~~~\n'],
    ['a comment', '<!--\n', '-->\n'],
  ])('[LP10] %s that began a megabyte before still holds', (_, open, close) => {
    expect(signalIn(`${open}${long}\n${COMPLETE}\n`, 'loop')).toBeUndefined()
    expect(signalIn(`${open}${long}${close}\n${COMPLETE}\n`, 'loop')).toBe('COMPLETE')
  })

  it('[LP10] at the limit the whole message is read, beyond it the part around the signal', () => {
    const open = '```\n'
    const size = SIGNAL_READ_MAX_CHARS - open.length - COMPLETE.length
    for (const extra of [-1, 0, 1, 2]) {
      const filler = `${'x'.repeat(size + extra - 1)}\n`
      expect(signalIn(`${open}${filler}${COMPLETE}`, 'loop')).toBeUndefined()
      expect(signalIn(`    ${filler}${COMPLETE}`, 'loop')).toBe('COMPLETE')
    }
  })

  /** The parser took seconds for most of these, minutes for a megabyte. */
  it.each([
    ['quotes in quotes', '>'],
    ['lists in lists', '+ '],
    ['numbers in numbers', '1. '],
    ['items of a list', '1. a\n'],
    ['half-open emphasis', '**a*'],
    ['half-open links', '[a]('],
    ['comments', '<!-- x -->\n'],
    ['fences', '```\n'],
    ['blank lines', '\n'],
    ['spaces', ' '],
    ['signals in a fence', `${COMPLETE}\n`, '```\n'],
  ])('[LP10] %s without end are read in time', (_, piece, opening = '') => {
    for (const size of [1_000_000, SIGNAL_READ_MAX_CHARS - 100]) {
      const message = `${opening}${piece.repeat(size / piece.length)}\n\n${COMPLETE}\n`
      const before = process.cpuUsage()
      signalIn(message, 'loop')
      // About 100 ms, for lists 300; without limits seconds to minutes.
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
    }
  })
})
