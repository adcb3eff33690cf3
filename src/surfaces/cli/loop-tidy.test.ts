import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { Client } from '../../client/client.ts'
import type { LoopView } from '../../protocol/loop.ts'
import { cleanUpAfter } from './loop-tidy.ts'

it('[FL201] no folder of this machine is looked at for a loop of another', async () => {
  const machine = `m${'c3'.repeat(12)}`
  const far = aSession({ id: 'one', machine, own: false, cwd: '/nowhere' })
  const here = aSession({ id: 'one', own: true, cwd: '/nowhere' })
  const loopOf = (id: string) => ({ id, session: 'one', frames: [] }) as unknown as LoopView
  let asked = 0
  const loops = async () => {
    asked += 1
    return { loops: [] }
  }
  const client = { loops } as unknown as Client
  await cleanUpAfter(client, [far, here], [loopOf(`${machine}/loop-1`)])
  await cleanUpAfter(client, [far], [loopOf('loop-1')])
  expect(asked).toBe(0)
  await cleanUpAfter(client, [far, here], [loopOf('loop-1')])
  expect(asked).toBe(1)
})
