import { describe, expect, it } from 'vitest'
import { codexRedact as rules } from './index.ts'

const THREAD = '01a1e504-cd6b-75c1-a49f-da8fd235ddaf'
const kept = (text: string) =>
  (rules.textPieces?.(text) ?? []).flatMap((piece) => ('keep' in piece ? piece.keep.trim() : []))

describe('what an export keeps of a text', () => {
  it.each([
    ['fix the tests', []],
    ['Shall I go on?', ['?']],
    ['⠋ my project', ['⠋']],
    ['[ ! ] Action Required | my project', ['[ ! ] Action Required']],
    [`⠋ my project | ${THREAD.slice(0, 29)}...`, ['⠋', `| ${THREAD.slice(0, 29)}...`]],
    ['{"chunk_id":"b0","session_id":43983,"output":"mine"}', ['"session_id":43983']],
    ['Process running with session ID 7\nmine', ['Process running with session ID 7']],
    ['text(await tools.exec_command({"cmd":"mine"}))', ['tools.exec_command({})']],
    ['tools.my_own_tool({})', []],
    ['stream disconnected before mine', ['stream disconnected']],
    [
      '{"error":{"type":"invalid_request_error","message":"mine"}}',
      ['{"error":{"type":"invalid_request_error"'],
    ],
    ['{"error":{"type":"mine_error"}}', []],
  ])('[OS5] of %j only what decides: %j', (text, expected) => {
    expect(kept(text)).toEqual(expected)
  })
})

it('[OS5] a rollout’s path keeps its date and its thread', () => {
  const name = `rollout-2026-11-16T15-40-59-${THREAD}.jsonl`
  const ids = rules.pathPieces?.(name, '16')?.flatMap((piece) => ('id' in piece ? piece.id : []))
  expect(ids).toEqual([THREAD])
  expect(rules.pathPieces?.('2026', 'sessions')).toEqual([{ keep: '2026' }])
  expect(rules.pathPieces?.('rollout-mine.jsonl', '16')).toBeUndefined()
})

it.each([
  ['/opt/bin/codex fix mine', 'codex'],
  ['codex exec --json mine', 'codex exec'],
  [`codex resume ${THREAD} mine`, `codex resume ${THREAD}`],
  ['codex resume mine', 'codex resume'],
  ['vim mine', undefined],
])('[OS5] of the command %j stays %j', (given, expected) => {
  expect(rules.command?.(given)).toBe(expected)
})

it('[OS5] typed text is neither a choice nor the empty input line', () => {
  const typed = (line: string) => rules.screen.typedIn?.(line, '')?.typed
  expect(typed('› mine')).toBe('mine')
  expect(typed('› 1. Yes, proceed (y)')).toBeUndefined()
  expect(typed('› Ask Codex to do anything')).toBeUndefined()
  expect(typed('  mine')).toBeUndefined()
})

it('[OS5] a title without a sign is a name, and so is what is no call’s', () => {
  expect(rules.fieldOf?.('title', { title: 'mine' })).toBe('project')
  expect(rules.fieldOf?.('title', { title: '⠋ mine' })).toBe('title')
  expect(rules.fieldOf?.('title', { title: `mine | ${THREAD}` })).toBe('title')
  expect(rules.fieldOf?.('name', { name: 'exec', call_id: 'c' })).toBe('tool_name')
  expect(rules.fieldOf?.('name', { name: 'mine' })).toBe('name')
})
