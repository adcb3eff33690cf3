import { describe, expect, it } from 'vitest'
import { readTitle } from './title.ts'

describe('the title of the terminal', () => {
  it.each([
    ['⠼ proj', 'working'],
    ['⠦ a project of mine', 'working'],
    ['[ ! ] Action Required | proj', 'waiting'],
    ['[ . ] Action Required | proj', 'waiting'],
    ['proj', 'idle'],
  ])('[CX3] %s tells that it is %s', (title, status) => {
    expect(readTitle(title)).toMatchObject({ status, turnOnly: true })
  })

  it('[CX3] tells nothing where it is empty or of another shape', () => {
    for (const title of ['', ' proj', '[tmux]', '⠼']) expect(readTitle(title)).toBeUndefined()
  })
})
