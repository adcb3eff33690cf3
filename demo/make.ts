/**
 * Makes `fleet.jsonl`, what `vigil demo` plays: several recordings of the real client laid over
 * each other as if they had run side by side, each in a folder, pane and process of its own. `npm
 * run demo:make` writes it anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const AGENTS = [
  { recording: 'two_prompts', project: 'engine', afterMs: 0 },
  { recording: 'agent_perm', project: 'compiler', afterMs: 900 },
  { recording: 'ask_answer', project: 'website', afterMs: 2_100 },
  { recording: 'long_allowed', project: 'payments', afterMs: 1_500 },
  { recording: 'bash_bg', project: 'crawler', afterMs: 3_000 },
  { recording: 'err400', project: 'parser', afterMs: 4_200 },
  { recording: 'plan_approve', project: 'planner', afterMs: 6_000 },
  { recording: 'kill9', project: 'sandbox', afterMs: 8_000 },
]

const BEGIN = Date.UTC(2026, 10, 15, 9)
// Screens are most of a recording and tell nothing that the registry has not said.
const LEFT_OUT = new Set(['meta', 'action', 'screen', 'statusline'])

const lines = AGENTS.flatMap(({ recording, project, afterMs }, index) => {
  const file = new URL(`../test/recordings/${recording}.jsonl`, import.meta.url)
  const raw = readFileSync(file, 'utf8').trim().split('\n')
  const first = JSON.parse(raw[0] ?? '{}').t
  const shift = BEGIN + afterMs - first
  return raw
    .map((line) => JSON.parse(moved(line, project, index, first, shift)))
    .filter((line) => !LEFT_OUT.has(line.source))
})

lines.sort((a, b) => a.t - b.t)
const meta = { t: BEGIN, source: 'meta', agent: 'claude', version: '2.1.325', plan: 'fleet' }
const out = [meta, ...lines].map((line) => JSON.stringify(line)).join('\n')
writeFileSync(new URL('fleet.jsonl', import.meta.url), `${out}\n`)

/** Another folder, pane and pid, and every time in it moved with the run. */
function moved(line: string, project: string, index: number, first: number, shift: number): string {
  const day = String(first).slice(0, 5)
  return line
    .replaceAll('/lab/project', `/home/ada/${project}`)
    .replaceAll('-lab-project', `-home-ada-${project}`)
    .replaceAll('/lab/home', '/home/ada')
    .replace(/"name":"project-/g, `"name":"${project}-`)
    .replaceAll('"%0"', `"%${index}"`)
    .replace(/"(pid|ppid|claudePid)":\d+/g, (_, key) => `"${key}":${5_000 + index}`)
    .replace(new RegExp(`\\b${day}\\d{8}\\b`, 'g'), (time) => String(Number(time) + shift))
    .replace(/"timestamp":"([^"]+)"/g, (_, time) => {
      return `"timestamp":"${new Date(Date.parse(time) + shift).toISOString()}"`
    })
}
