import { type Block, blocksOf, type Inline } from './markdown.ts'

/**
 * SPEC SH1. Whether rendered Markdown shows less than was written: the address of a link, a title,
 * text beyond the limit. Compares letters and digits, in order.
 */
export function hidesWords(markdown: string): boolean {
  const [written, drawn] = [lettersOf(markdown), lettersOf(textIn(blocksOf(markdown)))]
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
