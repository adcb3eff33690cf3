/**
 * Started as a process of its own: the live view on a terminal that only counts, with key presses.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { CountingTerminal } from './terminal.ts'
import { watched } from './watched.ts'

const [, , columns = '200', rows = '60', seconds = '10'] = process.argv

const terminal = new CountingTerminal(connect(foldersOf()), Number(columns), Number(rows))
void terminal.view.run()
// Until Ink is loaded and the compiler has seen the code.
await sleep(3_000)
const figures = await watched(terminal, Number(seconds))
terminal.view.close()
process.stdout.write(JSON.stringify(figures))
process.exit(0)
