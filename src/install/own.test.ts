import { describe, expect, it } from 'vitest'
import { foldersOf } from '../home/folders.ts'
import { ownOf, withoutVigil } from './own.ts'

const note = { format: 1 as const, client: null, hooks: ['/old place/vigil-hook'], places: {} }
const own = ownOf(foldersOf({ VIGIL_HOME: '/v' }), note)
const hook = (command: string) => ({ hooks: [{ type: 'command', command }] })
const place = {
  settings: 's',
  before: '{ "as" : "it was" }',
  after: '{"a":1}',
  hollow: {},
  made: [],
}

describe('settings without vigil', () => {
  it('[I7] are the bytes from before while the file is what install wrote', () => {
    expect(withoutVigil('{"a":1}', place, own, 's')).toBe(place.before)
    expect(withoutVigil('{"a":1} ', place, own, 's')).toBe('{"a":1} ')
    expect(withoutVigil('{"a":1}', { ...place, before: null }, own, 's')).toBeUndefined()
  })

  it('[I7] hold no hook of an earlier install either, quoted or not', () => {
    const commands = ['/v/hooks/vigil-hook', '/old place/vigil-hook', "'/old place/vigil-hook'"]
      .flatMap((command) => {
        const words = ['', ' answer', ' answer compact']
        return [command, ...words.map((more) => `exec ${command}${more}`)]
      })
      .filter((command) => !command.startsWith('exec /old place/vigil-hook'))
    const text = JSON.stringify({ hooks: { Stop: [...commands, 'mine'].map(hook) } })
    const rest = JSON.stringify({ hooks: { Stop: [hook('mine')] } })
    expect(withoutVigil(text, undefined, own, 's')).toBe(rest)
  })
})
