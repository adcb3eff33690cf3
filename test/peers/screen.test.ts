import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ccmanager } from '../../lab/peers/ccmanager.ts'
import { CLAUDE_RPG, CLAUDE_RPG_AMENDED } from '../../lab/peers/claude-rpg.ts'
import { detect, LOWERED } from '../../lab/peers/claude-rpg-screen.ts'
import { itUnless } from '../support/needs.ts'
import { at, saidBy } from './support.ts'

const SPINNER = '● Running.\n\n✻ Puttering… (3s · ↓ 12 tokens)\n'
const DIALOG = 'Bash command\n\nDo you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel\n'
const PROMPT = `● Hello.\n\n${'─'.repeat(40)}\n❯ \n${'─'.repeat(40)}\n  manual mode on\n`

describe('what claude-rpg sees', () => {
  it.each([
    ['error', 0.8, '● API Error: 400 no\n'],
    ['waiting', 0.95, DIALOG],
    ['waiting', 0.9, 'Would you like to proceed?\n'],
    ['waiting', 0.85, '  ❯ 1. Red\n    2. Blue\n'],
    ['working', 0.9, SPINNER],
    ['working', 0.85, '  ◯ general-purpose  work       5s · ↓ 114 tokens\n'],
    ['idle', 0.8, 'Claude >\n'],
    ['idle', 0.7, '✻ Baked for 3s · done 3:24 PM\n'],
    ['idle', 0.6, '✓ one\n'],
    ['unknown', 0.3, PROMPT],
  ])('%s, %d sure', (status, confidence, screen) => {
    expect(detect(screen)).toEqual({ status, confidence })
  })

  it('an error before a dialog before a spinner before a word of being done', () => {
    const done = '✻ Baked for 3s · done 3:24 PM\n'
    expect(detect(done + SPINNER).status).toBe('working')
    expect(detect(done + SPINNER + DIALOG).status).toBe('waiting')
    expect(detect(`${DIALOG}● API Error: 400\n`).status).toBe('error')
  })

  it('looks at the last 50 lines', () => {
    expect(detect(SPINNER + '\n'.repeat(46)).status).toBe('working')
    expect(detect(SPINNER + '\n'.repeat(50)).status).toBe('unknown')
  })

  it('after its audit is less sure of being done', () => {
    expect(detect('✻ Baked · done\n', LOWERED)).toEqual({ status: 'idle', confidence: 0.5 })
    expect(detect('✓ one\n', LOWERED).status).toBe('unknown')
  })
})

describe.each([CLAUDE_RPG, CLAUDE_RPG_AMENDED])('$name', (peer) => {
  const open = [at.start(), at.process(100, true), at.screen(200, PROMPT)]
  const working = [...open, at.hook(1000, 'UserPromptSubmit')]
  const audited = peer === CLAUDE_RPG

  it('finds a client at the next poll, and misses it at the next', () => {
    expect(saidBy(peer, [...open, at.process(2001, false)])).toEqual(['250 idle', '2250 closed'])
  })

  it('takes hooks at once and screens by the poll', () => {
    const lines = [...working, at.screen(1300, DIALOG), at.screen(3100, SPINNER)]
    expect(saidBy(peer, [...lines, at.hook(4001, 'Stop'), at.screen(4001, PROMPT)])).toEqual([
      ...['250 idle', '1000 working', '1500 waiting', '3250 working', '4001 idle'],
    ])
  })

  it('[rule 1] shows a prompt that it is only fairly sure of', () => {
    const lines = [...working, at.screen(1300, 'Enter to select · Esc to cancel\n')]
    expect(saidBy(peer, lines).slice(2)).toEqual(['1500 waiting'])
  })

  it('[rule 2] takes a prompt that is gone for answered', () => {
    const lines = [...working, at.hook(1200, 'PermissionRequest'), at.screen(1200, DIALOG)]
    expect(saidBy(peer, [...lines, at.screen(3100, SPINNER)]).slice(2)).toEqual([
      '1200 waiting',
      '3250 working',
    ])
    const done = [...lines, at.screen(3100, '✻ Baked for 3s · done 3:24 PM\n')]
    expect(saidBy(peer, done).at(-1)).toBe(audited ? '3250 idle' : '1200 waiting')
  })

  it('[rule 7] believes a spinner more than a Stop', () => {
    const lines = [...working, at.screen(1100, SPINNER), at.hook(3001, 'Stop')]
    expect(saidBy(peer, lines).slice(2)).toEqual(['3001 idle', '3250 working'])
  })

  it('[rule 3] shows an error that stands on the screen', () => {
    const lines = [...working, at.screen(2000, '● API Error: 400 no\n')]
    expect(saidBy(peer, lines).at(-1)).toBe('2000 error')
  })

  it('[rule 5] ends by time a turn whose screen says nothing', () => {
    expect(saidBy(peer, working).at(-1)).toBe(audited ? '6250 idle' : '16250 idle')
  })

  it('after a hook the amended one holds still for 5 s', () => {
    const lines = [...working, at.hook(14_001, 'PreToolUse')]
    expect(saidBy(peer, lines).at(-1)).toBe(audited ? '14250 idle' : '19250 idle')
  })

  it('[rule 4] ends by time a turn whose screen stands still and says done', () => {
    const lines = [...working, at.screen(2000, '✻ Baked for 3s · done 3:24 PM\n')]
    // Once it is less sure, it never believes it.
    expect(saidBy(peer, lines).at(-1)).toBe(audited ? '5250 idle' : '1000 working')
  })
})

describe('ccmanager', async () => {
  const peer = await ccmanager(false)
  const open = [at.start(), at.process(100, true)]

  const missing = 'judge' in peer ? undefined : 'ccmanager is not installed: npm run clients'

  it('says so where it is not installed', async () => {
    const nowhere = await ccmanager(false, join(tmpdir(), 'no-such-folder'))
    expect(nowhere).toMatchObject({ absent: expect.stringContaining('not installed') })
  })

  itUnless(missing)('is idle in a blank terminal, and after 1.5 s of an unchanged one', () => {
    const lines = [at.screen(0, DIALOG), ...open, at.screen(1000, SPINNER), at.screen(2000, PROMPT)]
    expect(saidBy(peer, lines)).toEqual([
      ...['100 working', '200 idle', '1000 working', '3500 idle'],
    ])
  })

  itUnless(missing)('sees dialogs and spinners at its next look', () => {
    const lines = [...open, at.screen(3050, SPINNER), at.screen(4050, DIALOG)]
    expect(saidBy(peer, lines).slice(2)).toEqual(['3100 working', '4100 waiting'])
  })

  itUnless(missing)('counts background work beside idle as work', () => {
    const lines = [...open, at.screen(1000, PROMPT), at.screen(5000, `${PROMPT}1 local agent\n`)]
    expect(saidBy(peer, lines).slice(2)).toEqual(['5000 working'])
  })

  itUnless(missing)('learns of the end at once, and starts again with a new client', () => {
    const lines = [...open, at.process(1010, false), at.process(3000, true, 8)]
    expect(saidBy(peer, lines, 3_050).slice(2)).toEqual(['1010 closed', '3000 working'])
  })
})
