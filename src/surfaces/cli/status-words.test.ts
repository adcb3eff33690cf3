import { describe, expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { Session } from '../../protocol/session.ts'
import { wordsIn } from './status-words.ts'

const NOW = 1_800_000_000_000

const SESSIONS: readonly Session[] = [
  aSession({ id: 'asks', state: 'waiting', for: 'permission', since: NOW, cwd: '/srv/app' }),
  aSession({ id: 'done', state: 'idle', after: 'work', since: NOW - 1_000 }),
  aSession({ id: 'shell', state: 'background', since: NOW }),
  aSession({ id: 'lost', state: 'unknown', since: NOW }),
  aSession({ id: 'died', state: 'error', since: NOW, title: 'the \u001b[31m title' }),
]

const spoken = (vocabulary: string) =>
  Object.fromEntries(wordsIn(vocabulary, SESSIONS, NOW).map(({ id, word }) => [id, word]))

describe('sessions in another program’s words', () => {
  it.each([
    ['plates', ['AwaitingApproval', 'Idle', 'Running', null, 'Error']],
    ['claude-state', ['waiting_permission', 'stopped', 'working_background', null, 'stopped']],
    ['claude-rpg', ['waiting', 'idle', 'working', null, 'error']],
    ['notify-tmux', ['ALERT', 'COMPLETED', 'WORKING', null, 'BASE']],
  ])('[CM15] %s', (vocabulary, words) => {
    const [asks, done, shell, lost, died] = words
    expect(spoken(vocabulary)).toEqual({ asks, done, shell, lost, died })
  })

  it('[CM15] go with their id, name and folder, in the order of attention', () => {
    const [first] = wordsIn('plates', SESSIONS, NOW)
    expect(first).toEqual({ id: 'asks', word: 'AwaitingApproval', name: 'asks', cwd: '/srv/app' })
  })

  it('[CM15] of claude-rpg come in the order of its priorities', () => {
    const words = wordsIn('claude-rpg', SESSIONS, NOW).map(({ word }) => word)
    expect(words).toEqual(['error', 'waiting', 'working', 'idle', null])
  })

  it('[CM15] of notify-tmux have their emoji and variables', () => {
    const [done] = wordsIn('notify-tmux', SESSIONS.slice(1, 2), NOW)
    const variables = { '@agent_running': 'false', '@last_completed_time': '1799999999' }
    expect(done).toMatchObject({ word: 'COMPLETED', emoji: '🤖✅', variables })
  })
})
