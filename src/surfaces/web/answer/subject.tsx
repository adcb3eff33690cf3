import type { RequestBlock } from '../../../view/request.ts'
import { Code } from '../parts/code.tsx'
import { Diff } from '../parts/diff-view.tsx'
import { Prose } from '../parts/prose.tsx'
import { Long, Safe } from '../parts/safe-text.tsx'

interface SubjectProps {
  readonly blocks: readonly RequestBlock[]
}

/** SPEC SH1, PG15. All that is asked for, in the order of its blocks. */
export function Subject({ blocks }: SubjectProps) {
  const found = blocks.find((block) => block.is === 'path')
  const path = found && 'text' in found ? found.text : 'a file'
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a request have no other names
    <div key={at} className={`block block-${block.is}`}>
      <SeenMark />
      <Block block={block} path={path} />
    </div>
  ))
}

/** What has to come into sight. */
export function SeenMark() {
  return <span className="seen-mark" aria-hidden="true" />
}

function Block({ block, path }: { readonly block: RequestBlock; path: string }) {
  switch (block.is) {
    case 'command':
      return <Code text={block.text} sign="$" label="command" />
    case 'path':
      return (
        <p className="path">
          <Long text={block.text} />
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
