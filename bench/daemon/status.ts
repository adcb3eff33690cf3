import { spawnSync } from 'node:child_process'
import { COMMAND } from '../../src/client/start.ts'
import { Home, median, turn } from './home.ts'

const ROUNDS = 21

/** `vigil status` against a Node that does nothing, alternating. */
export async function status() {
  const home = new Home()
  await home.start()
  for (let index = 0; index < 20; index++) home.write(turn(index, 20))
  const time = (args: readonly string[]) => {
    const begin = performance.now()
    const { status: code } = spawnSync(process.execPath, args, { env: home.env, stdio: 'ignore' })
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
    return performance.now() - begin
  }
  const nothing = ['-e', '0']
  const asked = [COMMAND, 'status']
  // The first run compiles.
  for (let i = 0; i < 3; i++) time(asked)
  const times = Array.from({ length: ROUNDS }, () => [time(nothing), time(asked)] as const)
  await home.end()
  const nodeMs = median(times.map(([node]) => node))
  const statusMs = median(times.map(([, asking]) => asking))
  return { nodeMs, statusMs, ratio: statusMs / nodeMs }
}
