import { expect, it } from 'vitest'
import { removeFromSettings } from './remove.ts'

const own = {
  hook: '/v/hooks/vigil-hook',
  earlier: ['/old place/vigil-hook'],
  scripts: '/v/hooks',
  copies: '/v',
}
const place = { home: '/c', real: '/c', version: undefined, memory: undefined, own, sha256: String }
const hook = (command: string) => ({ hooks: [{ type: 'command', command }] })

it('[I7] no hook of an earlier install stays either, quoted or not', () => {
  const commands = ['/v/hooks/vigil-hook', '/old place/vigil-hook', "'/old place/vigil-hook'"]
    .flatMap((command) => {
      const words = ['', ' answer', ' answer compact']
      return [command, ...words.map((more) => `exec ${command}${more}`)]
    })
    .filter((command) => !command.startsWith('exec /old place/vigil-hook'))
  const text = JSON.stringify({ hooks: { Stop: [...commands, 'mine'].map(hook) } })
  const rest = JSON.stringify({ hooks: { Stop: [hook('mine')] } })
  expect(removeFromSettings('settings.json', text, place)).toBe(rest)
})
