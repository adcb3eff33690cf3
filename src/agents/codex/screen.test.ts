import { describe, expect, it } from 'vitest'
import { readCodexScreen } from './screen.ts'

const FOOTER = '  GPT-6.1-Sol default · /home/u/proj'
const HINTS = '  ← for agents · ? for shortcuts                     ⚠ 1 warning · f2 to view'
const screen = (...lines: string[]) => `${lines.join('\n')}\n\n`
const composer = (...above: string[]) =>
  screen(...above, '', '› Ask Codex to do anything', '', FOOTER, HINTS)

describe('a screen', () => {
  it.each([
    ['• Working (0s • esc to interrupt)'],
    ['◦ Working (1m 12s • esc to interrupt) · Running hooks'],
    ['• Reconnecting... 3/5 (12s • esc to interrupt)'],
    ['• Waiting for agents (2s • esc to interrupt)'],
    ['◦ Working (0s • esc to interrupt) · 1 background terminal running · /ps to view'],
  ])('[CX4] with the status %s shows work', (status) => {
    expect(readCodexScreen(composer('› go', '', status, ''))).toEqual({
      shows: 'working',
      input: '',
      prompt: 'go',
    })
  })

  it('[CX4] with an input line alone shows text: an answer may still be coming in', () => {
    expect(readCodexScreen(composer('• Here is what I found'))).toEqual({
      shows: 'text',
      input: '',
    })
  })

  it('[CX4] with commands that run on shows background work', () => {
    const line = '  2 background terminals running · /ps to view · /stop to close'
    expect(readCodexScreen(composer('• Left it running.', '', line))).toMatchObject({
      shows: 'background',
    })
  })

  it('[CX4] before the client can be used shows nothing', () => {
    const early = screen('› Ask Codex to do anything', '', '', '  ? for shortcuts')
    expect(readCodexScreen(early)).toEqual({ shows: 'nothing' })
    expect(readCodexScreen('bash-5.2# \n')).toEqual({ shows: 'nothing' })
    expect(readCodexScreen('')).toEqual({ shows: 'nothing' })
  })

  it('[CX4] tells what stands in the input line', () => {
    const typed = screen('› fix the tests', '', FOOTER, HINTS)
    expect(readCodexScreen(typed)).toEqual({ shows: 'text', input: 'fix the tests' })
  })

  it('[CX4] quoted words of a status far above the input line are no status', () => {
    const above = [
      '• Working (0s • esc to interrupt)',
      ...Array.from({ length: 20 }, () => '  text'),
    ]
    expect(readCodexScreen(composer(...above))).toMatchObject({ shows: 'text' })
  })
})

describe('a dialog', () => {
  const options = ['', '› 1. Yes, proceed (y)', '  2. No (esc)', '']

  it.each([
    [
      'permission',
      ['  Would you like to run the following command?', '', '  $ rm -r x'],
      '  Press enter to confirm or esc to cancel',
    ],
    [
      'permission',
      ['  Would you like to make the following edits?'],
      '  Press enter to confirm or esc to cancel',
    ],
    [
      'permission',
      ['  Field 1/1', '  Allow the notes MCP server to run tool "keep_note"?'],
      '  enter to submit | esc to cancel',
    ],
    [
      'question',
      ['  Question 1/2 (2 unanswered)', '  Which colour?'],
      '  tab to add notes | enter to submit answer | esc to interrupt',
    ],
    ['plan', ['  Implement this plan?'], '  enter select · esc back'],
    ['dialog', ['  Trust this folder?'], '  enter continue · esc back'],
    ['dialog', ['  Hooks need review'], '  enter confirm · esc skip'],
    ['dialog', ['  Meet GPT-6 Sol'], '  enter/esc confirm · ^c quit'],
    ['dialog', ['  Choose what happens to the current task.'], '  enter select · esc back'],
    ['dialog', ['  Warnings · 1 of 1'], '  k keep & next · esc dismiss & close · ^o copy'],
  ])('[CX5] asks for %s: %s', (kind, head, foot) => {
    expect(readCodexScreen(screen(...head, ...options, foot))).toEqual({
      shows: 'dialog',
      for: kind,
    })
  })

  it('[CX5] stands at the bottom: its words above an input line are text', () => {
    const words = [
      '  Would you like to run the following command?',
      '  Press enter to confirm or esc to cancel',
    ]
    expect(readCodexScreen(composer(...words))).toMatchObject({ shows: 'text' })
  })
})

describe('the newest prompt on a screen', () => {
  const asks = (...above: string[]) =>
    screen(...above, '', '  Implement this plan?', '', '› 1. Yes', '  2. No', '', PLAN_FOOT)
  const PLAN_FOOT = '  enter select · esc back'

  it.each([
    ['the last above the input line', composer('› one', '', '• Done.', '', '› two', ''), 'two'],
    ['the last above a dialog', asks('› one', '', '• A plan.'), 'one'],
  ])('[CX66] is %s', (_, shown, prompt) => {
    expect(readCodexScreen(shown)).toMatchObject({ prompt })
  })

  it.each([
    ['one that wraps', composer('› one', '', '› a long prompt that', '  goes on', '')],
    ['one like the empty input line', composer('› one', '', '› Explain this', '')],
    ['one like a choice', composer('› one', '', '› 1. Yes', '')],
    ['what is not sent yet', screen('› typed', '', FOOTER)],
    ['the choice of a dialog', asks('• A plan.')],
    ['a quotation in an answer', composer('• You said:', '  › one', '')],
  ])('[CX66] is not %s', (_, shown) => {
    expect(readCodexScreen(shown)).not.toHaveProperty('prompt')
  })
})
