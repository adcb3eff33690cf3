/**
 * Started as a process of its own: the live view on a terminal that only counts, with key presses.
 */
import { PassThrough, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { View } from '../../src/surfaces/tui/view.ts'

const [, , columns = '200', rows = '60', seconds = '10'] = process.argv

let bytes = 0
let frames = 0
let onFrame: () => void = () => {}
const out = new Writable({
  decodeStrings: false,
  write: (text: string, _, done) => {
    bytes += text.length
    frames += 1
    onFrame()
    done()
  },
})
const stdout = Object.assign(out, { columns: Number(columns), rows: Number(rows), isTTY: true })
const keys = new PassThrough()
const stdin = Object.assign(keys, {
  isTTY: true,
  setRawMode: () => {},
  ref: () => {},
  unref: () => {},
})
const view = new View({
  client: connect(foldersOf()),
  stdin: stdin as unknown as NodeJS.ReadStream,
  stdout: stdout as unknown as NodeJS.WriteStream,
  colours: true,
  jump: async () => undefined,
})
void view.run()
// Until Ink is loaded and the compiler has seen the code.
await sleep(3_000)
const calm = await measured(Number(seconds), async () => sleep(Number(seconds) * 1000))
const latencies: number[] = []
// In the middle of the list: at its end a key changes nothing, and no frame would respond.
keys.write('jjjjjj')
await sleep(500)
const busy = await measured(Number(seconds), async () => {
  const endAt = performance.now() + Number(seconds) * 1000
  for (let i = 0; performance.now() < endAt; i++) {
    latencies.push(await pressed(i % 8 < 4 ? 'j' : 'k'))
    await sleep(80 + (i % 7) * 11)
  }
})
view.close()
latencies.sort((a, b) => a - b)
const share = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN
const keyFigures = { keys: latencies.length, medianMs: share(0.5), p99Ms: share(0.99) }
process.stdout.write(JSON.stringify({ calm, busy, ...keyFigures }))
process.exit(0)

async function measured(forS: number, work: () => Promise<unknown>) {
  const [bytesBefore, framesBefore, cpuBefore] = [bytes, frames, process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    cpuPercent: (user + system) / 1000 / (forS * 10),
    framesPerSecond: (frames - framesBefore) / forS,
    bytesPerSecond: (bytes - bytesBefore) / forS,
  }
}

/** From the key to the next frame, even if that frame was due anyway: it shows the key, too. */
function pressed(key: string): Promise<number> {
  const begin = performance.now()
  return new Promise((resolve) => {
    onFrame = () => {
      onFrame = () => {}
      resolve(performance.now() - begin)
    }
    keys.write(key)
  })
}
