import { readFileSync } from 'node:fs'
import type { DemoCall } from '../../agents/demo-agent.ts'

/** What one agent of the demo does. */
export interface DemoRole {
  readonly project: string
  readonly cwd: string
  readonly branch: string
  /** The number of iterations of its loop. */
  readonly loop: number | undefined
  readonly tasks: readonly DemoTask[]
  /** Where the agent is when the demo begins. */
  readonly opening: Opening
}

export interface DemoTask {
  readonly prompt: string
  readonly steps: readonly DemoStep[]
}

type DemoStep =
  | { readonly is: 'call'; readonly call: DemoCall; readonly asks: boolean }
  | { readonly is: 'say' | 'stop' | 'fail'; readonly text: string }

/** The step of the first task that began this long before. */
interface Opening {
  readonly step: number
  readonly agoMs: number
}

export function readStory(): readonly DemoRole[] {
  return storyIn(readFileSync(new URL('../../../demo/story.txt', import.meta.url), 'utf8'))
}

function storyIn(text: string): readonly DemoRole[] {
  const [, ...parts] = text.split(/^== /m)
  return parts.map(roleIn)
}

function roleIn(text: string): DemoRole {
  const [head = '', ...lines] = text.trim().split('\n')
  const [project = '', branch = '', , loop] = head.trim().split(/\s+/)
  const cwd = `/home/ada/${project}`
  const tasks: { prompt: string; steps: DemoStep[] }[] = []
  let opening: Opening = { step: 0, agoMs: 60_000 }
  for (const [at, line] of lines.entries()) {
    const [sign, rest] = [line[0] ?? '', line.slice(2)]
    const steps = tasks.at(-1)?.steps ?? []
    if (sign === '>') tasks.push({ prompt: rest, steps: [] })
    else if (sign === '@') opening = { step: steps.length, agoMs: msIn(rest) }
    else if (sign !== '%' || lines[at - 1]?.[0] !== '%') {
      const step = stepIn(sign, rest, { more: following(lines.slice(at), sign), cwd })
      if (step) steps.push(step)
    }
  }
  const iterations = loop === undefined ? undefined : Number(loop)
  return { project, cwd, branch, loop: iterations, tasks, opening }
}

/** The lines that belong to the first line. */
function following([, ...lines]: readonly string[], sign: string): readonly string[] {
  const isPart = (line: string) => (sign === '%' ? line[0] === '%' : line.startsWith('  '))
  const end = lines.findIndex((line) => !isPart(line))
  return lines.slice(0, end < 0 ? undefined : end)
}

interface Around {
  readonly more: readonly string[]
  readonly cwd: string
}

function stepIn(sign: string, rest: string, { more, cwd }: Around): DemoStep | undefined {
  const [what = '', about = ''] = rest.split(' :: ')
  const asks = ASKING.has(sign)
  switch (sign) {
    case '.':
      return { is: 'call', asks, call: { does: 'read', path: `${cwd}/${rest}` } }
    case '/':
      return { is: 'call', asks, call: { does: 'search', pattern: rest } }
    case '$':
    case '!':
      return { is: 'call', asks, call: { does: 'run', command: what, about } }
    case 'e':
    case '~':
      return {
        is: 'call',
        asks,
        call: {
          does: 'edit',
          path: `${cwd}/${rest}`,
          before: linesOf(more, '-'),
          after: linesOf(more, '+'),
        },
      }
    case '?':
      return {
        is: 'call',
        asks,
        call: {
          does: 'ask',
          question: { question: what, header: about, options: optionsIn(more) },
        },
      }
    case '%':
      return {
        is: 'call',
        asks,
        call: { does: 'plan', plan: [rest, ...more.map((line) => line.slice(2))].join('\n') },
      }
    case '"':
      return { is: 'say', text: rest }
    case 'x':
      return { is: 'fail', text: rest }
    case '<':
      return { is: 'stop', text: rest }
  }
  return undefined
}

const ASKING = new Set(['!', '~', '?', '%'])

function linesOf(lines: readonly string[], sign: string): string {
  const own = lines.filter((line) => line[2] === sign)
  return own.map((line) => line.slice(4)).join('\n')
}

function optionsIn(lines: readonly string[]) {
  return lines.map((line) => {
    const [label = '', description = ''] = line.slice(4).split(' :: ')
    return { label, description }
  })
}

function msIn(text: string): number {
  return Number.parseInt(text, 10) * (text.endsWith('m') ? 60_000 : 1_000)
}
