import { appendFileSync } from 'node:fs'

/**
 * Draws an input line as the client does, and writes what is sent into a file. With `asks` a dialog
 * takes the line's place once something was typed.
 */
const [, , file, begun = '', then = ''] = process.argv
const rule = '─'.repeat(60)
let input = begun
let pasting = false

const DIALOG = 'Do you want to proceed?\n ❯ 1. Yes\n   2. No\n'

const draw = () => {
  if (then === 'asks' && input !== begun) {
    process.stdout.write(`\u001b[2J\u001b[H\n● Hello.\n\n${DIALOG}`)
    return
  }
  const shown = input.split('\n')[0] ?? ''
  process.stdout.write(`\u001b[2J\u001b[H\n● Hello.\n\n${rule}\n❯ ${shown}\n${rule}\n`)
}

process.stdin.setRawMode(true)
process.stdin.setEncoding('utf8')
process.stdout.write('\u001b[?2004h')
draw()
process.stdin.on('data', (data) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal speaks in them
  for (const part of data.split(/(\u001b\[20[01]~|\r)/)) {
    if (part === '\u001b[200~') pasting = true
    else if (part === '\u001b[201~') pasting = false
    else if (part === '\r' && !pasting) {
      appendFileSync(file, `${JSON.stringify(input)}\n`)
      input = ''
    } else input += part.replaceAll('\r', '\n')
  }
  setTimeout(draw, 100)
})
