import { expect, it } from 'vitest'
import { until } from '../../test/support/daemon.ts'
import { catchUp } from './catch-up.ts'

/** This many pieces to read, one at a time. */
function backlog(pieces: number) {
  const said: boolean[] = []
  const state = { left: pieces }
  const isCaughtUp = () => state.left === 0
  const behind = (isBehind: boolean) => void said.push(isBehind)
  return { state, said, isCaughtUp, behind }
}

it('[S30] waits until all was read, and then says nothing', async () => {
  const { state, said, isCaughtUp, behind } = backlog(100)
  await catchUp({ isCaughtUp, behind, flush: () => (state.left -= 1) })
  expect(state.left).toBe(0)
  expect(said).toEqual([])
})

it('[S30] does not wait for ever, and says for how long it is behind', async () => {
  const { state, said, isCaughtUp, behind } = backlog(1)
  const end = await catchUp({ isCaughtUp, behind, flush: () => {}, maxMs: 20 })
  expect(said).toEqual([true])
  state.left = 0
  await until('it has caught up', () => said.length === 2)
  expect(said).toEqual([true, false])
  end()
})
