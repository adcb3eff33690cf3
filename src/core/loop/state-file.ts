import { defined } from './fields.ts'

/**
 * SPEC LP89. The file in which idle stores a loop where it has no `jwz`: front matter with
 * `active`, `mode`, `iteration` and `max_iterations`, below it the task. Returns the equivalent
 * document, or undefined where the text is no such file. The file has no time: it is as fresh as
 * its import.
 */
export function documentInFile(text: string): object | undefined {
  const [, head, task = ''] = FILE.exec(text) ?? []
  if (head === undefined) return undefined
  const fields = new Map(
    head.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^(\w+):[ \t]*(.*)$/.exec(line) ?? []
      return key === undefined || value === undefined ? [] : [[key, value.trimEnd()] as const]
    }),
  )
  const active = fields.get('active')
  if (active === undefined) return undefined
  const prompt = task.trim()
  const frame = defined({
    mode: fields.get('mode'),
    // Missing counts are not numbers, as idle reads them: such a loop is aborted.
    iter: fields.get('iteration') ?? '',
    max: fields.get('max_iterations') ?? '',
    vigil: prompt === '' ? undefined : { prompt },
  })
  return { schema: 1, event: 'STATE', stack: active === 'true' ? [frame] : [] }
}

const FILE = /^\uFEFF?---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n(.*))?$/s
