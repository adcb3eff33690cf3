import { expect, it } from 'vitest'
import { LoopRig } from '../support/loops.ts'

it('[LP74] by the log, a loop is stuck on a command that fails, not on a refused one', async () => {
  const rig = new LoopRig()
  rig.prompt('one')
  await rig.start('one', { patience: 2 })
  const runs = (id: string, toolUseResult: string) => {
    rig.log('one', { type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } })
    rig.log('one', { type: 'tool_result', tool_use_id: id, is_error: true }, { toolUseResult })
  }
  for (const id of ['a', 'b', 'c']) {
    runs(id, 'User rejected tool use')
    expect((await rig.stop('one', id)).act).toBe('block')
  }
  runs('d', 'Error: Exit code 1')
  expect((await rig.stop('one', 'd')).act).toBe('block')
  runs('e', 'Error: Exit code 1')
  expect((await rig.stop('one', 'e')).act).toBe('allow')
})

it('[LP74] by the log alone, a loop ends after too many turns without a changed file', async () => {
  const rig = new LoopRig()
  rig.prompt('one')
  await rig.start('one', { patience: 1 })
  const uses = (id: string, name: string) => {
    rig.log('one', { type: 'tool_use', id, name, input: { file_path: '/p/x' } })
    rig.log('one', { type: 'tool_result', tool_use_id: id })
  }
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    uses(id, 'Edit')
    expect((await rig.stop('one', id)).act).toBe('block')
  }
  for (const id of ['g', 'h', 'i']) {
    uses(id, 'Read')
    expect((await rig.stop('one', id)).act).toBe('block')
  }
  uses('j', 'Read')
  expect((await rig.stop('one', 'j')).act).toBe('allow')
})
