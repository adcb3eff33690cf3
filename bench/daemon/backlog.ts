import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Home, turn } from './home.ts'

const FILES = 100_000

/** Reports from hooks while no daemon ran: a hundred thousand files, from start to empty spool. */
export async function backlog() {
  const home = new Home()
  for (let index = 0; index < FILES; index++) home.write(turn(index, 100))
  const begin = performance.now()
  const client = await home.start()
  while (readdirSync(home.folders.spool).length > 0) await sleep(50)
  const seconds = (performance.now() - begin) / 1000
  const inLog = (await client.health()).sources.hook?.reports ?? 0
  await home.end()
  return { files: FILES, inLog, seconds }
}
