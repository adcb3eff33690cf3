import { expect, it } from 'vitest'
import { Scene } from '../../test/support/scene.ts'

it('[T1] a prompt opens a turn, and without an end it stays open', () => {
  const scene = new Scene().start().wait(1000)
  expect(scene.state()).toBe('idle:start')
  expect(scene.prompt().state()).toBe('working')
  expect(scene.tool('Bash').wait(600_000).state()).toBe('working')
})
