import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ELSEWHERE = /(^|\/)(node_modules|dist|\.cache|\.git)\//

export interface Document {
  /** From the project's root. */
  readonly path: string
  readonly text: string
}

/** Every document of the project. */
export function documents(): readonly Document[] {
  return ['*.md', '.github/**/*.md', '{docs,lab,plugin,test}/**/*.md']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !ELSEWHERE.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}

/** Where a document leads to: links, pictures, and both as HTML. */
export function targetsIn(text: string): readonly string[] {
  return nodesOf(text).flatMap((node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      return [node.url]
    if (node.type === 'html')
      return [...node.value.matchAll(/\b(?:src|srcset|href)="([^"]*)"/g)].map(([, to = '']) => to)
    return []
  })
}

/** The names under which GitHub puts the headings of a document. */
export function anchorsIn(text: string): readonly string[] {
  const seen = new Map<string, number>()
  return nodesOf(text)
    .filter((node) => node.type === 'heading')
    .map((heading) => {
      const slug = wordsOf(heading)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
        .replaceAll(' ', '-')
      const before = seen.get(slug) ?? 0
      seen.set(slug, before + 1)
      return before === 0 ? slug : `${slug}-${before}`
    })
}

/** Lines that stand as code, in a block or among words; of what a console shows, the commands. */
export function codeIn(text: string): readonly string[] {
  return nodesOf(text).flatMap((node) => {
    if (node.type === 'inlineCode') return [node.value]
    if (node.type !== 'code') return []
    const lines = node.value.split('\n')
    return node.lang === 'console' ? lines.filter((line) => /^\w*\$ /.test(line)) : lines
  })
}

/** The text without what a console shows, which is of the demo's projects. */
export function withoutConsoles(text: string): string {
  return text.replaceAll(/^```console\n[\s\S]*?^```$/gm, '')
}

export interface ShownCommand {
  readonly command: string
  readonly output: readonly string[]
}

/** What blocks marked `console` show: each command behind a `$`, and what it prints. */
export function shownIn(text: string): readonly ShownCommand[] {
  return nodesOf(text)
    .filter((node) => node.type === 'code')
    .filter(({ lang }) => lang === 'console')
    .flatMap(({ value }) => value.split(/^\$ /m).slice(1))
    .map((shown) => {
      const [command = '', ...output] = shown.trimEnd().split('\n')
      return { command, output }
    })
}

function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(wordsOf).join('') : ''
}

const parsed = new Map<string, readonly Nodes[]>()

/** All of its nodes; a long document is parsed once. */
function nodesOf(text: string): readonly Nodes[] {
  const options = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }
  const nodes = parsed.get(text) ?? within(fromMarkdown(text, options))
  parsed.set(text, nodes)
  return nodes
}

function within(node: Nodes): readonly Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(within) : [])]
}
