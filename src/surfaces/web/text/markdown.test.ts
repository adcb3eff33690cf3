import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test/support/cpu.ts'
import { type Block, blocksOf, type Inline } from './markdown.ts'

describe('[PG21] Markdown of an agent', () => {
  it('becomes elements', () => {
    const [heading, list, code] = blocksOf(
      '# Plan\n\n1. **first** `x`\n2. second\n\n```ts\nlet a\n```',
    )
    expect(heading).toEqual({ is: 'heading', depth: 1, inside: [{ is: 'text', text: 'Plan' }] })
    expect(list).toMatchObject({ is: 'list', start: 1 })
    expect(code).toEqual({ is: 'code', text: 'let a', language: 'ts' })
  })

  it.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<iframe srcdoc="x"></iframe>',
    '<svg onload=alert(1)>',
  ])('has no markup of its own: %s', (text) => {
    const said = textIn(blocksOf(text))
    expect(said).toBe(text)
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '[x](<java script:alert(1)>)',
    '<javascript:alert(1)>',
    '![x](https://example.org/pixel.png)',
  ])('leads nowhere it may not, and fetches nothing: %s', (text) => {
    expect(JSON.stringify(blocksOf(text))).not.toContain('"href"')
  })

  it('may have tables', () => {
    expect(blocksOf('| a | b |\n|---|---|\n| 1 | **2** |')).toEqual([
      {
        is: 'table',
        rows: [
          [[{ is: 'text', text: 'a' }], [{ is: 'text', text: 'b' }]],
          [[{ is: 'text', text: '1' }], [{ is: 'strong', inside: [{ is: 'text', text: '2' }] }]],
        ],
      },
    ])
  })

  it('leads where it says, with the place beside it', () => {
    const [paragraph] = blocksOf('[bank](https://example.org/x)')
    expect(paragraph).toMatchObject({
      inside: [{ is: 'link', link: { href: 'https://example.org/x', host: 'example.org' } }],
    })
  })

  it.each([
    ['[', 200_000],
    ['*', 200_000],
    ['> ', 100_000],
    ['- ', 100_000],
    ['`', 200_000],
    ['![](', 100_000],
    ['<a', 100_000],
    ['\\[a]', 100_000],
    ['[a](b "', 50_000],
    ['&#x', 100_000],
    ['| a | b |\n|---|---|\n', 5_000],
    ['|', 50_000],
    ['a|\n-|\n', 20_000],
    ['\u202e', 100_000],
  ])('made of %j cannot keep the page busy', (part, times) => {
    let depth = Number.POSITIVE_INFINITY
    const ms = cpuMs(() => {
      depth = depthOf(blocksOf(part.repeat(times)))
    })
    expect(ms).toBeLessThan(3_000)
    expect(depth).toBeLessThan(16)
  })

  it('that is too long is cut, and says so', () => {
    expect(textIn(blocksOf('word '.repeat(20_000)))).toMatch(/… and \d+ more letters$/)
  })
})

function textIn(blocks: readonly Block[]): string {
  const inline = (one: Inline): string =>
    'text' in one ? one.text : 'inside' in one ? one.inside.map(inline).join('') : ''
  return blocks
    .map((block) => {
      if (block.is === 'code' || block.is === 'plain') return block.text
      return 'inside' in block ? block.inside.map(inline).join('') : ''
    })
    .join('')
}

function depthOf(blocks: readonly Block[]): number {
  return Math.max(
    1,
    ...blocks.map((block) => {
      if (block.is === 'quote') return 1 + depthOf(block.blocks)
      return block.is === 'list' ? 1 + Math.max(0, ...block.items.map(depthOf)) : 1
    }),
  )
}
