import { createElement, type ReactNode } from 'react'
import { hidesWords } from '../text/hides.ts'
import { type Block, blocksOf, type Inline } from '../text/markdown.ts'
import { Code } from './code.tsx'
import { markedText, Safe } from './safe-text.tsx'

interface MarkdownProps {
  readonly text: string
  readonly whole: boolean
}

/** SPEC PG21. An agent's Markdown as the page's own elements. Loaded on demand. */
export default function Markdown({ text, whole }: MarkdownProps) {
  // A text that Markdown would draw without some of its words is shown as it was written.
  if (whole && hidesWords(text)) return <Code text={text} label="as plain text" />
  return <div className="markdown">{blocks(blocksOf(text))}</div>
}

function blocks(list: readonly Block[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other names for its parts
  return list.map((block, at) => <One key={at} block={block} />)
}

/** The page's own headings come first; headings of a text are below them. */
const HEADING_FIRST = 3

function One({ block }: { readonly block: Block }) {
  switch (block.is) {
    case 'paragraph':
      return <p>{inlines(block.inside)}</p>
    case 'heading': {
      const depth = Math.min(6, block.depth + HEADING_FIRST - 1)
      return createElement(`h${depth}`, { 'data-depth': block.depth }, inlines(block.inside))
    }
    case 'code':
      return <Code text={block.text} label={block.language ?? 'code'} />
    case 'quote':
      return <blockquote>{blocks(block.blocks)}</blockquote>
    case 'rule':
      return <hr />
    case 'table':
      return <Table rows={block.rows} />
    case 'plain':
      return <p className="plain">{markedText(block.text)}</p>
    case 'list': {
      // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other names for its parts
      const items = block.items.map((item, at) => <li key={at}>{blocks(item)}</li>)
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
    }
  }
}

function Table({ rows }: Pick<Extract<Block, { is: 'table' }>, 'rows'>) {
  const [head = [], ...body] = rows
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must scroll it too
    <div className="table" tabIndex={0} data-scrolls>
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other names
              <th key={at}>{inlines(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other names
            <tr key={at}>
              {row.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other names
                <td key={place}>{inlines(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inlines(list: readonly Inline[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other names for its parts
  return list.map((inline, at) => <Within key={at} inline={inline} />)
}

function Within({ inline }: { readonly inline: Inline }) {
  switch (inline.is) {
    case 'text':
      return <>{markedText(inline.text)}</>
    case 'code':
      return <code className="inline">{markedText(inline.text)}</code>
    case 'strong':
      return <strong>{inlines(inline.inside)}</strong>
    case 'emphasis':
      return <em>{inlines(inline.inside)}</em>
    case 'break':
      return <br />
    case 'link':
      return (
        <>
          <a href={inline.link.href} rel="noopener noreferrer" target="_blank">
            {inlines(inline.inside)}
          </a>
          <span className="address">
            {' '}
            (<Safe text={inline.link.host} />)
          </span>
        </>
      )
  }
}
