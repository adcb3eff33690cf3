import type { Nodes, PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { cutText } from '../../../view/safe.ts'
import { linkOf, type SafeLink } from './link.ts'

/** What Markdown becomes on the page: these elements, and text. An agent's HTML is never one. */
export type Block =
  | { readonly is: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly is: 'heading'; readonly depth: number; readonly inside: readonly Inline[] }
  | { readonly is: 'code'; readonly text: string; readonly language: string | null }
  | { readonly is: 'quote'; readonly blocks: readonly Block[] }
  | { readonly is: 'rule' }
  /** The first row is its head. */
  | { readonly is: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  /** As it was written, line by line. */
  | { readonly is: 'plain'; readonly text: string }
  | {
      readonly is: 'list'
      readonly start: number | null
      readonly items: readonly (readonly Block[])[]
    }

export type Inline =
  | { readonly is: 'text' | 'code'; readonly text: string }
  | { readonly is: 'strong' | 'emphasis'; readonly inside: readonly Inline[] }
  | { readonly is: 'link'; readonly link: SafeLink; readonly inside: readonly Inline[] }
  | { readonly is: 'break' }

/** Longer than a user reads here. */
const TEXT_MAX = 30_000
const DEPTH_MAX = 12

/**
 * The parser's time grows with the square of these in a paragraph: 30,000 letters made for it take
 * 17 s, 2,000 signs some 80 ms. No prose has that many.
 */
const SIGNS_MAX = 2_000
const SIGNS = /[[\]*_<&\\`!|]/g
/** Quotes in quotes, lists in lists: each level is a nested call. */
const NESTED = /^(?:[ \t]*[>*+-]){30}/m

/** SPEC PG21. Markdown as elements; raw HTML in it is plain text. */
export function blocksOf(markdown: string): readonly Block[] {
  const { text, more } = cutText(markdown, TEXT_MAX)
  const blocks: readonly Block[] = isCostly(text)
    ? [{ is: 'plain', text }]
    : blocksIn(fromMarkdown(text, TABLES).children, 0)
  if (more === 0) return blocks
  return [...blocks, paragraph(`… and ${more} more letters`)]
}

const TABLES = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }

function isCostly(text: string): boolean {
  const parts = text.split(/\n[ \t]*\n/)
  return NESTED.test(text) || parts.some((part) => (part.match(SIGNS)?.length ?? 0) > SIGNS_MAX)
}

function blocksIn(nodes: readonly RootContent[], depth: number): readonly Block[] {
  if (depth > DEPTH_MAX) return nodes.map((node) => paragraph(wordsIn(node)))
  return nodes.flatMap((node) => blockOf(node, depth) ?? [])
}

function blockOf(node: RootContent, depth: number): Block | undefined {
  switch (node.type) {
    case 'paragraph':
      return { is: 'paragraph', inside: inlinesIn(node.children, depth) }
    case 'heading':
      return { is: 'heading', depth: node.depth, inside: inlinesIn(node.children, depth) }
    case 'code':
      return { is: 'code', text: node.value, language: node.lang ?? null }
    case 'blockquote':
      return { is: 'quote', blocks: blocksIn(node.children, depth + 1) }
    case 'thematicBreak':
      return { is: 'rule' }
    case 'list':
      return {
        is: 'list',
        start: node.ordered ? (node.start ?? 1) : null,
        items: node.children.map((item) => blocksIn(item.children, depth + 1)),
      }
    case 'table':
      return {
        is: 'table',
        rows: node.children.map(({ children }) =>
          children.map((cell) => inlinesIn(cell.children, depth + 1)),
        ),
      }
    case 'html':
      return { is: 'code', text: node.value, language: null }
    case 'definition':
      return paragraph(`[${node.label ?? node.identifier}]: ${node.url}`)
    default:
      return paragraph(wordsIn(node))
  }
}

function inlinesIn(nodes: readonly PhrasingContent[], depth: number): readonly Inline[] {
  if (depth > DEPTH_MAX) return nodes.map((node) => ({ is: 'text', text: wordsIn(node) }))
  return nodes.map((node) => inlineOf(node, depth))
}

function inlineOf(node: PhrasingContent, depth: number): Inline {
  switch (node.type) {
    case 'text':
    case 'html':
      return { is: 'text', text: node.value }
    case 'inlineCode':
      return { is: 'code', text: node.value }
    case 'strong':
    case 'emphasis':
      return { is: node.type, inside: inlinesIn(node.children, depth + 1) }
    case 'break':
      return { is: 'break' }
    case 'link':
      return linked(node.url, inlinesIn(node.children, depth + 1), wordsIn(node))
    case 'image':
      // No image is fetched for an agent: a requested address is a message.
      return { is: 'text', text: `[image ${node.alt ?? ''}: ${node.url}]` }
    default:
      return { is: 'text', text: wordsIn(node) }
  }
}

/** A link that may not be followed is shown as it was written. */
function linked(address: string, inside: readonly Inline[], words: string): Inline {
  const link = linkOf(address)
  return link ? { is: 'link', link, inside } : { is: 'text', text: `[${words}](${address})` }
}

function paragraph(text: string): Block {
  return { is: 'paragraph', inside: [{ is: 'text', text }] }
}

function wordsIn(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(wordsIn).join('') : ''
}
