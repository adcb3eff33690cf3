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

  const ID = '01a1e513-fe32-7503-973c-f2477'

  it.each([
    [`⠼ proj | ${ID}...`, 'working'],
    [`[ ! ] Action Required | proj | ${ID}…`, 'waiting'],
    [`proj | ${ID}0a1b2c3`, 'idle'],
  ])('[CX66] %s names its thread', (title, status) => {
    expect(readTitle(title)).toMatchObject({ status, idBegins: expect.stringContaining(ID) })
  })

  it('[CX66] a project that is named like a part of an id names none', () => {
    for (const title of ['⠼ 01a1e513-fe32', `⠼ ${ID}`, `⠼ proj | ${ID} more`, '⠼ a | 01a1e513'])
      expect(readTitle(title)).not.toHaveProperty('idBegins')
  })
})
