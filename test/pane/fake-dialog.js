// Draws a dialog as a client does, and takes its answer as a client does: not in its first half
// second. `n` goes on to the next dialog; keys are kept in a file.
import { appendFileSync } from 'node:fs'

const [file, ...dialogs] = process.argv.slice(2)
const REFUSES_MS = 500
const RULE = '─'.repeat(80)
let place = 0
let drawnAt = 0

draw()
process.stdin.setRawMode(true)
process.stdin.on('data', (data) => {
  for (const key of data.toString()) {
    if (key === 'n') place += 1
    else appendFileSync(file, key)
    if (key === '1' && Date.now() - drawnAt > REFUSES_MS) place = dialogs.length
    if (key === 'n' || key === '1') draw()
  }
})

function draw() {
  drawnAt = Math.max(drawnAt, Date.now())
  const command = dialogs[place]
  const lines =
    command === undefined
      ? [RULE, '❯ ', RULE]
      : [
          RULE,
          ' Bash command',
          '',
          `   ${command}`,
          '   touch',
          '',
          ' Do you want to proceed?',
        ].concat(' ❯ 1. Yes', '   2. No', '', ' Esc to cancel')
  process.stdout.write(`\x1b[2J\x1b[H${lines.join('\r\n')}`)
}
