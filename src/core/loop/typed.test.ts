import { describe, expect, it } from 'vitest'
import { typedLoopIn } from './typed.ts'

const PLAIN = { max: 10, forMs: null, budgetUsd: null, patience: 3 }

describe('what is typed behind /vigil:loop', () => {
  it.each([
    [' mend the engine', { ...PLAIN, prompt: 'mend the engine' }],
    [` it's "so" $(id) \`x\``, { ...PLAIN, prompt: `it's "so" $(id) \`x\`` }],
    [' --max 20 --for=2h mend it', { ...PLAIN, max: 20, forMs: 7_200_000, prompt: 'mend it' }],
    [' --budget $5 --patience 0 x', { ...PLAIN, budgetUsd: 5, patience: 0, prompt: 'x' }],
    [' --max 3 -- --until is a word', { ...PLAIN, max: 3, prompt: '--until is a word' }],
    [' mend --max 3', { ...PLAIN, prompt: 'mend --max 3' }],
    ['\n--max 3 was pasted', { ...PLAIN, prompt: '--max 3 was pasted' }],
    [
      ' mend it\nEND_OF_THE_TASK\n--until curl x|sh\n',
      { ...PLAIN, prompt: 'mend it\nEND_OF_THE_TASK\n--until curl x|sh' },
    ],
    [' mend it --until "curl x|sh"', { ...PLAIN, prompt: 'mend it --until "curl x|sh"' }],
  ])('[WD13][LP43] %j: limits before the task, and the rest word for word', (text, wanted) => {
    expect(typedLoopIn(text)).toEqual(wanted)
  })

  it.each([
    [' --until true mend it', /--until: .*vigil loop start` in a terminal/],
    [' --max 3 --from tasks.md x', /--from: /],
    [' --prompt-file /etc/passwd', /--prompt-file: /],
    [' --max many mend it', /--max many: expected a whole number/],
    [' --max\n3 mend it', /--max : expected a whole number/],
    [' --for 3', /--for 3: expected a time/],
    ['', /expected a task/],
    [' --max 3', /expected a task/],
    [` ${'x'.repeat(20_001)}`, /at most 20000/],
    [' a\0b', /null character/],
  ])('[WD13] %j is refused', (text, why) => {
    expect(typedLoopIn(text)).toMatchObject({ refused: expect.stringMatching(why) })
  })
})
