import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DaemonHome } from './daemon.ts'

type Fields = Readonly<Record<string, unknown>>

/** Sessions of every kind, reported to a real daemon as hooks and status lines would. */
export class PageFleet {
  readonly #home: DaemonHome

  constructor(home: DaemonHome) {
    this.#home = home
  }

  /** Hook events of one session, one after the other; the last is this many seconds ago. */
  async tell(id: string, secondsAgo: number, ...events: readonly Fields[]): Promise<void> {
    const end = Date.now() - secondsAgo * 1_000
    await this.#home.client.post(
      events.map((event, at) => {
        const t = end - (events.length - 1 - at) * 1_000
        const payload = { session_id: id, cwd: `/home/ada/${id}`, ...event }
        return { report: { t, source: 'hook' as const, env: {}, payload } }
      }),
    )
  }

  /** What its status line and its transcript say. */
  async figures(id: string, model: string, left: number, cost: number): Promise<void> {
    const payload = {
      session_id: id,
      cwd: `/home/ada/${id}`,
      version: '2.1.325',
      model: { display_name: model },
      context_window: { remaining_percentage: left },
      cost: { total_cost_usd: cost },
    }
    const report = { t: Date.now() - 1_000, source: 'statusline' as const, payload }
    await this.#home.client.post({ report })
  }

  /** A transcript with this last message and this call, in the client's format. */
  transcript(id: string, said: readonly string[], call?: Fields): string {
    const folder = join(this.#home.seenAt, 'projects', '-p')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${id}.jsonl`)
    const entries = said.map((text) => ({ type: 'text', text }) as Fields)
    if (call) entries.push({ type: 'tool_use', id: 'toolu_1', ...call })
    const lines = entries.map((block) =>
      JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [block] } }),
    )
    writeFileSync(path, `${lines.join('\n')}\n`)
    return path
  }
}

const prompt = (text = 'Go on.'): Fields => ({ hook_event_name: 'UserPromptSubmit', prompt: text })
export const stop: Fields = { hook_event_name: 'Stop', background_tasks: [] }

function tool(name: string, input: Fields): Fields {
  const event = { hook_event_name: 'PreToolUse', tool_use_id: `toolu_${name}` }
  return { ...event, tool_name: name, tool_input: input }
}

function done(name: string, input: Fields): Fields {
  return { ...tool(name, input), hook_event_name: 'PostToolUse', tool_response: {} }
}

/** A client's request: the tool begins, and its dialog opens. */
export function asks(name: string, input: Fields, suggestions: readonly Fields[] = []): Fields[] {
  const request = { hook_event_name: 'PermissionRequest', tool_name: name, tool_input: input }
  return [prompt(), tool(name, input), { ...request, permission_suggestions: suggestions }]
}

export const BUILD = {
  command: 'rm -rf dist && npm run build -- --mode production',
  description: 'Rebuild from scratch',
}

export const EDIT = {
  file_path: '/home/ada/website/src/cart/total.ts',
  old_string: [
    "import type { Item } from './item'",
    '',
    '/** What the cart comes to. */',
    'export function total(items: Item[]) {',
    '  return items.length * 10',
    '}',
  ].join('\n'),
  new_string: [
    "import { sum } from '../math'",
    "import type { Item } from './item'",
    '',
    '/** What the cart comes to. */',
    'export function total(items: readonly Item[]) {',
    '  return sum(items.map(({ price }) => price))',
    '}',
  ].join('\n'),
}

export const CHOICE = {
  questions: [
    {
      question: 'Which database should the importer write to?',
      header: 'Database',
      multiSelect: false,
      options: [
        { label: 'SQLite', description: 'One file, no server; enough for one writer' },
        { label: 'Postgres', description: 'Already runs in production' },
      ],
    },
  ],
}

export const PLAN = {
  plan: [
    '# Cache the price list',
    'Requests for prices take **340 ms**; most of it is the database.',
    '1. Read the list once, keep it in `PriceCache`',
    '2. Invalidate on `price.changed`',
    '3. Measure again with `npm run bench`',
    '> Nothing changes for callers.',
  ].join('\n\n'),
}

/** One session of each kind, in realistic folders. */
export async function wholeFleet(home: DaemonHome): Promise<void> {
  const fleet = new PageFleet(home)
  await fleet.figures('payments', 'Opus 4.5', 42, 3.82)
  await fleet.figures('engine', 'Sonnet 4.5', 77, 0.41)
  await fleet.figures('website', 'Sonnet 4.5', 61, 1.09)
  const transcript_path = fleet.transcript(
    'payments',
    [
      'The build folder is stale: `dist/` still holds the *old* schema.',
      'I will **rebuild from scratch**, then test:\n\n1. remove `dist/`\n2. `npm run build`',
    ],
    { name: 'Bash', input: BUILD },
  )
  await fleet.tell('payments', 45, ...asks('Bash', BUILD).map((e) => ({ ...e, transcript_path })))
  await fleet.tell('website', 12, ...asks('Edit', EDIT))
  await fleet.tell('importer', 9, ...asks('AskUserQuestion', CHOICE))
  await fleet.tell('shop-api', 320, ...asks('ExitPlanMode', PLAN))
  await fleet.tell('parser', 95, prompt(), {
    hook_event_name: 'StopFailure',
    error: 'rate_limit',
  })
  await fleet.tell('planner', 240, prompt(), done('Write', { file_path: '/a' }), stop)
  const todos = ['completed', 'completed', 'completed', 'in_progress', 'pending', 'pending']
  await fleet.tell(
    'engine',
    4,
    prompt(),
    done('TodoWrite', { todos: todos.map((status) => ({ status, content: 'x' })) }),
    tool('Bash', { command: 'npm test -- --run core', description: 'Run the core tests' }),
  )
  await fleet.tell('compiler', 31, prompt(), tool('Task', { description: 'Look for dead code' }))
  await fleet.tell('crawler', 130, prompt(), {
    ...stop,
    background_tasks: [{ id: 'b1', type: 'shell', status: 'running', description: 'npm run dev' }],
  })
  await fleet.tell('notes', 4_000, prompt(), stop)
  await fleet.tell('sandbox', 700, prompt(), stop, {
    hook_event_name: 'SessionEnd',
    reason: 'prompt_input_exit',
  })
}
