/**
 * `node bench/hook.ts [script|answer|turn|sets|codex] [--json]`: what the hook costs. Alone,
 * against the shell that runs it; with answering, against without; in turns of the real clients,
 * against other hooks, and by the set of events that is installed. The kinds alternate within one
 * run, because only ratios can be compared between machines.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePlace } from '../lab/drive/place.ts'
import { startModel } from '../lab/model/server.ts'
import { answers } from './hook/answer.ts'
import { codexSets } from './hook/codex.ts'
import { emptied, installedHook } from './hook/installed.ts'
import { median, takeTurns } from './hook/rounds.ts'
import { eventSets } from './hook/sets.ts'
import { benchClient, playTurn, reading, TOOL_CALLS } from './hook/turn.ts'

const SCRIPT_RATIO_MAX = 3
const TRUE_RATIO_MAX = 1.3
const CURL_SHARE_MAX = 1 / 6
/** A hook that has nothing to answer costs as much as the plain one, within the noise of a run. */
const UNARMED_RATIO_MAX = 1.1
const ARMED_MAX_MS = 80

const EVENTS = ['PreToolUse', 'PostToolUse'] as const
const HOOKS = TOOL_CALLS * EVENTS.length

const json = process.argv.includes('--json')
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const root = mkdtempSync(join(tmpdir(), 'vigil-bench-'))
const results: Record<string, unknown> = {}
try {
  if (wanted('script')) results.script = await scriptAlone()
  if (wanted('answer')) results.answer = judgedAnswers(await answers(root))
  if (wanted('turn')) results.turn = await realTurns()
  if (wanted('sets')) results.sets = judgedSets('Claude Code', await eventSets(root))
  if (wanted('codex')) results.codex = judgedSets('Codex', await codexSets())
} finally {
  rmSync(root, { recursive: true, force: true })
}
if ((loadavg()[0] ?? 0) > availableParallelism())
  print('the machine is busy: what runs beside the shell then adds to its time; see again later')
if (json) process.stdout.write(`${JSON.stringify(results)}\n`)

function wanted(name: string): boolean {
  return only.length === 0 || only.includes(name)
}

/** Run by a shell's loop: started from Node, each would include Node's own cost of starting it. */
async function scriptAlone() {
  const [rounds, runs] = [60, 20]
  const { hook, spool } = installedHook(root)
  const payload = join(root, 'payload.json')
  writeFileSync(payload, `{"hook_event_name":"PostToolUse","text":"${'x'.repeat(2000)}"}\n`)
  const commands = {
    shell: "/bin/sh -c ':'",
    cat: "/bin/sh -c 'cat >/dev/null'",
    hook: `'${hook}'`,
  }
  const times = await takeTurns(Object.keys(commands), rounds, (kind) => {
    const command = commands[kind as keyof typeof commands]
    const loop = `i=0; while [ $i -lt ${runs} ]; do ${command} <'${payload}'; i=$((i + 1)); done`
    const began = performance.now()
    spawnSync('/bin/sh', ['-c', loop], { stdio: 'ignore' })
    const ms = (performance.now() - began) / runs
    if (kind === 'hook') emptied(spool, runs)
    return ms
  })
  const shell = median(times.shell)
  const rows = Object.entries(times).map(([kind, each]) => {
    return { kind, ms: median(each), ratio: median(each) / shell }
  })
  print(`the script alone, medians of ${rounds} rounds of ${runs}:`)
  for (const { kind, ms, ratio } of rows)
    print(`  ${kind.padEnd(8)}${ms.toFixed(2).padStart(8)} ms ${ratio.toFixed(2).padStart(7)} ×`)
  const ratio = rows.at(-1)?.ratio ?? Number.NaN
  print(`  ${verdict(ratio <= SCRIPT_RATIO_MAX)}: at most ${SCRIPT_RATIO_MAX} × sh -c :`)
  return { rows, ratio, holds: ratio <= SCRIPT_RATIO_MAX }
}

function judgedAnswers({ rounds, times }: Awaited<ReturnType<typeof answers>>) {
  const rows = Object.entries(times).map(([kind, each]) => ({ kind, ms: median(each) }))
  const [plain = Number.NaN, unarmed = Number.NaN, armed = Number.NaN, request = Number.NaN] =
    rows.map(({ ms }) => ms)
  const ratio = unarmed / plain
  const asks = request / plain
  const holds = Math.max(ratio, asks) <= UNARMED_RATIO_MAX && armed <= ARMED_MAX_MS
  print(`the hook of a Stop, medians of ${rounds} rounds:`)
  for (const { kind, ms } of rows) print(`  ${kind.padEnd(8)}${ms.toFixed(2).padStart(8)} ms`)
  print(`  not armed it costs ${ratio.toFixed(2)} × the plain hook`)
  print(`  of a request while answering is off, ${asks.toFixed(2)} ×`)
  print(`  ${verdict(holds)}: at most ${UNARMED_RATIO_MAX} ×, and ${ARMED_MAX_MS} ms when armed`)
  return { rows, ratio, asks, holds }
}

function judgedSets(
  client: string,
  { rounds, hooks, turns, runs }: Awaited<ReturnType<typeof eventSets>>,
) {
  const none = { turn: median(turns.none), run: median(runs.none) }
  const rows = Object.keys(turns).map((kind) => {
    const [turnMs, runMs] = [median(turns[kind]), median(runs[kind])]
    const ratios = { turn: turnMs / none.turn, run: runMs / none.run }
    return { kind, turnMs, runMs, ...ratios, hooks: hooks[kind] ?? 0 }
  })
  print(`a turn of ${client} with ${TOOL_CALLS} tool calls by the events, medians of ${rounds}:`)
  for (const { kind, turnMs, runMs, turn, run, hooks: count } of rows) {
    const of = (ms: number, ratio: number) =>
      `${ms.toFixed(0).padStart(8)} ms ${ratio.toFixed(2).padStart(7)} ×`
    print(
      `  ${kind.padEnd(8)}${of(turnMs, turn)}; with start and end${of(runMs, run)}; hooks ${count}`,
    )
  }
  return { rows }
}

/**
 * All tools of a turn with their hooks run between its first request and its last; no start does.
 */
async function realTurns() {
  const rounds = 15
  const client = benchClient()
  const place = makePlace()
  const model = await startModel(reading(place))
  const sink = await startSink()
  const { hook, spool } = installedHook(root)
  try {
    const kinds: Record<string, object | undefined> = {
      none: undefined,
      true: { command: '/bin/true', args: [], async: true },
      vigil: { command: hook, args: [], async: true },
      curl: { command: curlHook(sink.port) },
    }
    const each = await takeTurns(Object.keys(kinds), rounds, async (kind) => {
      const hooksBefore = sink.count()
      const { turnMs } = await playTurn({ client, place, model, hooks: hooksOf(kinds[kind]) })
      if (kind === 'vigil') emptied(spool, HOOKS)
      if (kind === 'curl' && sink.count() - hooksBefore !== HOOKS)
        throw new Error(`curl: expected ${HOOKS} posts, came ${sink.count() - hooksBefore}`)
      return turnMs
    })
    return judged(each, rounds)
  } finally {
    await model.stop()
    sink.stop()
    rmSync(place.root, { recursive: true, force: true })
  }
}

function hooksOf(hook: object | undefined): object {
  const entry = [{ hooks: [{ type: 'command', ...hook }] }]
  return hook ? Object.fromEntries(EVENTS.map((event) => [event, entry])) : {}
}

/** Medians first, then their difference: single turns vary by more than a hook costs. */
function judged(each: Record<string, number[]>, rounds: number) {
  const cost = (kind: string) => (median(each[kind]) - median(each.none)) / HOOKS
  const rows = Object.keys(each).map((kind) => {
    return { kind, turnMs: median(each[kind]), hookMs: cost(kind) }
  })
  const overTrue = cost('vigil') / cost('true')
  const overCurl = cost('vigil') / cost('curl')
  const holds = overTrue <= TRUE_RATIO_MAX && overCurl <= CURL_SHARE_MAX
  print(`turns of the client with ${HOOKS} hooks, medians of ${rounds}; added per hook:`)
  for (const { kind, turnMs, hookMs } of rows)
    print(
      `  ${kind.padEnd(8)}${turnMs.toFixed(0).padStart(8)} ms ${hookMs.toFixed(2).padStart(8)} ms`,
    )
  print(`  vigil is ${overTrue.toFixed(2)} × an async true, ${overCurl.toFixed(3)} × bash+jq+curl`)
  print(`  ${verdict(holds)}: at most ${TRUE_RATIO_MAX} × and ${CURL_SHARE_MAX.toFixed(3)} ×`)
  return { rows, overTrue, overCurl, holds }
}

/** A typical first hook of a user. */
function curlHook(port: number): string {
  const path = join(root, 'curl-hook')
  const lines = [
    '#!/bin/bash',
    'input=$(cat)',
    'event=$(jq -r .hook_event_name <<<"$input")',
    'body=$(jq -c --arg event "$event" \'{event: $event, payload: .}\' <<<"$input")',
    `url=http://127.0.0.1:${port}/`,
    `curl -s -m 2 -H 'content-type: application/json' -d "$body" "$url" >/dev/null`,
  ]
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o700 })
  return path
}

async function startSink() {
  let count = 0
  const server = createServer((from, to) => {
    count += 1
    from.resume()
    from.on('end', () => to.end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, count: () => count, stop: () => server.close() }
}

function verdict(holds: boolean): string {
  return holds ? 'holds' : 'FAILS'
}

function print(line: string): void {
  if (!json) process.stdout.write(`${line}\n`)
}
