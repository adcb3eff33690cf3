import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DaemonHome, turn, until } from '../support/daemon.ts'
import { canMount, Mounted } from './mounted.ts'

const DISK_BYTES = 24 * 1024 * 1024

let disk: Mounted
let home: DaemonHome

describe.runIf(canMount)('a small disk', () => {
  beforeEach(async () => {
    disk = await Mounted.make(DISK_BYTES)
    home = disk.home()
  })
  afterEach(async () => {
    await home.end().catch((error) => process.stderr.write(`${error}\n`))
    await disk.end()
  })

  it('[K3] full while it runs: what is seen is shown, said not to last, and kept later', async () => {
    const daemon = await home.start()
    home.write(turn('before', 'before'))
    await home.taken()
    expect((await home.client.health()).durable).toBe(true)
    // Hooks write a little before the disk is full; each file has room of its own.
    disk.fill()
    disk.makeRoom()
    const files = Array.from({ length: 200 }, (_, n) => home.write(turn(`s${n % 4}`, `full${n}`)))
    disk.fill()
    await until('it is said', async () => !(await home.client.health()).durable)
    expect(files.length).toBe(200)
  })
})
