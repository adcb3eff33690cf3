import { type RefObject, useEffect, useState } from 'react'
import type { RequestBlock } from '../../../view/request.ts'
import { Code } from '../parts/code.tsx'
import { Diff } from '../parts/diff-view.tsx'
import { Prose } from '../parts/prose.tsx'
import { Long, Safe } from '../parts/safe-text.tsx'

interface SubjectProps {
  readonly blocks: readonly RequestBlock[]
}

/** SPEC SH1, PG15. The whole request, in the order of its blocks. */
export function Subject({ blocks }: SubjectProps) {
  const found = blocks.find((block) => block.is === 'path')
  const path = found ? found.shown.text : 'a file'
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a request have no other names
    <div key={at} className={`block block-${block.is}`}>
      <SeenMark />
      <Block block={block} path={path} />
    </div>
  ))
}

/** A mark that has to become visible. */
export function SeenMark() {
  return <span className="seen-mark" aria-hidden="true" />
}

/** SPEC SH9. How much of a request is below the visible part of its box. */
export function Below({ box }: { readonly box: RefObject<HTMLElement | null> }) {
  const [rows, setRows] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setRows(rowsBelow(element))
    const observer = new ResizeObserver(measure)
    for (const one of [element, ...element.children]) observer.observe(one)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  })
  return rows > 0 ? <p className="below">▼ {rows} more lines below</p> : null
}

function rowsBelow(box: HTMLElement): number {
  const hidden = box.scrollHeight - box.scrollTop - box.clientHeight
  return Math.floor(hidden / Number.parseFloat(getComputedStyle(box).lineHeight))
}

function Block({ block, path }: { readonly block: RequestBlock; path: string }) {
  switch (block.is) {
    case 'command':
      return <Code text={block.text} sign="$" label="command" />
    case 'path':
      return (
        <p className="path">
          <Long text={block.shown.text} />
          {block.shown.within !== null && (
            <span className="dim">
              {' in '}
              <Safe text={block.shown.within} />
            </span>
          )}
        </p>
      )
    case 'plan':
      return (
        <div className="plan">
          <Prose text={block.text} whole />
        </div>
      )
    case 'change':
      return <Diff lines={block.lines} note={block.note} path={path} />
    case 'notice':
      return <p className="warns">{block.text}</p>
    case 'value':
    case 'field':
      return <Field {...block} />
    case 'question':
      return null
  }
}

interface FieldProps {
  readonly name: string
  readonly text: string
  readonly marked?: boolean
}

function Field({ name, text, marked = false }: FieldProps) {
  return (
    <dl className={`fields ${marked ? 'warns' : ''}`}>
      <div>
        <dt>
          <Safe text={name} />
        </dt>
        <dd>
          <Long text={text} />
        </dd>
      </div>
    </dl>
  )
}
