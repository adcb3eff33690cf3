import { type Block, blocksOf, type Inline } from './markdown.ts'

/**
 * SPEC SH1. Whether a text drawn from Markdown shows less than was written: the address of a link,
 * a title, what is beyond the longest text, what has no room beside the rest.
 */
export function hides(markdown: string): boolean {
  const blocks = blocksOf(markdown)
  return hasNoRoom(blocks) || hidesLetters(markdown, blocks)
}

/** So many have room for some letters each on the smallest phone, and so deep is a list there. */
const COLUMNS_MAX = 6
const DEPTH_MAX = 4

function hasNoRoom(blocks: readonly Block[], depth = 0): boolean {
  return blocks.some((block) => {
    if (block.is === 'table') return depth > 0 || (block.rows[0]?.length ?? 0) > COLUMNS_MAX
    if (block.is === 'quote') return depth >= DEPTH_MAX || hasNoRoom(block.blocks, depth + 1)
    if (block.is !== 'list') return false
    return depth >= DEPTH_MAX || block.items.some((item) => hasNoRoom(item, depth + 1))
  })
}

/** Letters and digits are compared, in their order. */
function hidesLetters(markdown: string, blocks: readonly Block[]): boolean {
  const [written, drawn] = [lettersOf(markdown), lettersOf(textIn(blocks))]
  let at = 0
  for (const letter of drawn) if (letter === written[at]) at += 1
  return at < written.length
}

function lettersOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]/gu) ?? []
}

function textIn(blocks: readonly Block[]): string {
  return blocks.map(blockText).join(' ')
}

function blockText(block: Block): string {
  switch (block.is) {
    case 'paragraph':
    case 'heading':
      return inlineText(block.inside)
    case 'code':
      return `${block.language ?? ''} ${block.text}`
    case 'quote':
      return textIn(block.blocks)
    case 'rule':
      return ''
    case 'table':
      return block.rows.map((row) => row.map(inlineText).join(' ')).join(' ')
    case 'plain':
      return block.text
    case 'list': {
      const { start } = block
      return block.items
        .map((item, i) => `${start === null ? '' : start + i} ${textIn(item)}`)
        .join(' ')
    }
  }
}

function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.is === 'break') return ' '
      return 'text' in inline ? inline.text : inlineText(inline.inside)
    })
    .join('')
}
