import type { OpenRequest } from '../../../daemon/requests/shapes.ts'
import { Code } from '../parts/code.tsx'
import { Diff } from '../parts/diff-view.tsx'
import { Long, Safe } from '../parts/safe-text.tsx'
import { contentOf } from './content.ts'

/** What is asked for: a command, a change with its colours, or the fields of any other tool. */
export function Subject({ request }: { readonly request: OpenRequest }) {
  const content = contentOf(request)
  if (content.is === 'command')
    return (
      <>
        {content.about !== null && (
          <p className="about">
            <Safe text={content.about} />
          </p>
        )}
        <Code text={content.command} sign="$" label="command" />
      </>
    )
  if (content.is === 'change')
    return (
      <>
        <p className="path">
          <Safe text={content.path} />
        </p>
        {content.edits.map(({ before, after }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: edits of a request have no other names
          <Diff key={at} before={before} after={after} path={content.path} />
        ))}
      </>
    )
  return (
    <dl className="fields">
      {content.fields.map(([name, value]) => (
        <div key={name}>
          <dt>
            <Safe text={name} />
          </dt>
          <dd>
            <Long text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
