import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Verdict } from '../../src/core/verdict.ts'
import { SCHEMA_VERSION } from '../../src/store/migrations/list.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'

/** Writes the fixture of the newest schema. A released one is never written again. */
const number = String(SCHEMA_VERSION).padStart(3, '0')
const target = fileURLToPath(new URL(`./fixtures/schema-${number}.sql`, import.meta.url))
if (existsSync(target)) throw new Error(`${target}: is there already, and a fixture never changes`)

const folder = mkdtempSync(join(tmpdir(), 'vigil-fixture-'))
const path = join(folder, 'vigil.db')
fill(path)
writeFileSync(target, dumpOf(path))
rmSync(folder, { recursive: true, maxRetries: 10 })

/** One of everything that this schema can hold. */
function fill(file: string): void {
  const { store } = openStore(file, { now: 1_790_000_000_000 })
  const base = 1_790_000_000_000
  const verdict: Verdict = {
    session: 'one',
    state: 'working',
    since: base,
    rule: ['T', '1'].join(''),
    reason: 'a turn is open',
    grounds: [{ source: 'hook', saw: 'turn-started', at: base }],
    unread: false,
    typing: false,
    tasks: [],
    details: { cwd: '/home/ada/project' },
  }
  const hook = (event: string) => ({ hook_event_name: event, session_id: 'one' })
  const usage = { input_tokens: 100, output_tokens: 20 }
  const entry = { type: 'assistant', sessionId: 'one', message: { id: 'message-1', usage } }
  const row = { host: 'here', agent: 'claude', firstAt: base, parent: undefined }
  store.commit({
    reports: [
      {
        report: { t: base, source: 'hook', payload: hook('UserPromptSubmit') },
        session: 'one',
        key: 'hook.4711@1790000000000000000',
      },
      { report: { t: base + 1.5, source: 'registry', pid: 4711 }, session: 'one', key: undefined },
      {
        report: { t: base + 2, source: 'hook', payload: { ...hook('Stop'), text: 'it’s ☕' } },
        session: 'two',
        key: 'hook.4712@1790000000002000000',
      },
      {
        report: { t: base + 3, source: 'process', pid: 9, alive: false },
        session: undefined,
        key: undefined,
      },
      {
        report: { t: base + 4, source: 'transcript', entry },
        session: 'one',
        key: undefined,
      },
    ],
    changes: [
      { id: base + 1, t: base, session: 'one', kind: 'verdict', verdict },
      { id: base + 2, t: base, session: 'process:9', kind: 'gone', became: 'one' },
      { id: base + 3, t: base, session: 'old/one', kind: 'past', verdict },
    ],
    sessions: [
      { ...row, id: 'one', state: 'working', lastAt: base + 2, open: true, body: { id: 'one' } },
      {
        ...row,
        id: 'two',
        state: 'closed',
        lastAt: base + 3,
        open: false,
        parent: 'one',
        body: { id: 'two' },
      },
    ],
    cursors: [{ path: '/home/ada/.claude/projects/p/one.jsonl', inode: '77', offset: 4096 }],
    renamed: [],
  })
  fillRest(store, base)
  store.close()
}

/** What stands beside reports and changes. */
function fillRest(store: Store, base: number): void {
  store.loops.save(
    { id: 'loop-1', session: 'one', open: true, updatedAt: base, body: { id: 'loop-1' } },
    [{ at: base, kind: 'started' }],
  )
  store.acts.note({
    at: base,
    session: 'one',
    what: 'answer',
    who: 'ada',
    where: 'cli',
    words: 'allowed Bash',
  })
  store.acts.keepRequest({ id: 'hook.1@2', session: 'one', at: base, body: { tool: 'Bash' } })
  store.rememberFolder({ agent: 'claude', path: '/home/ada/.claude' })
  store.insight.absent(base - 60_000, base)
  store.insight.leave(base + 4)
}

function dumpOf(file: string): string {
  const db = new DatabaseSync(file)
  const pragma = (name: string) => {
    const [value] = Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})
    return `PRAGMA ${name} = ${value};`
  }
  const schema = db.prepare('SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL').all()
  const lines = [pragma('auto_vacuum'), pragma('application_id'), pragma('user_version')]
  // Triggers last: what they would write is in the dump.
  for (const { sql, type } of schema) if (type !== 'trigger') lines.push(`${sql};`)
  for (const { name } of schema.filter(({ type }) => type === 'table'))
    for (const row of db.prepare(`SELECT * FROM ${name}`).all())
      lines.push(`INSERT INTO ${name} VALUES (${Object.values(row).map(literal).join(', ')});`)
  for (const { sql, type } of schema) if (type === 'trigger') lines.push(`${sql};`)
  db.close()
  return `${lines.join('\n')}\n`
}

function literal(value: unknown): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
