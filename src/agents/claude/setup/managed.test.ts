import { describe, expect, it } from 'vitest'
import type { MachineReader } from '../../setup.ts'
import { checkManaged } from './managed.ts'

/** A machine with these files, by path. */
function looking(files: Record<string, string>, platform = 'linux'): MachineReader {
  const names = (folder: string) =>
    Object.keys(files)
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1))
  const shown = (path: string) => path
  return { platform, shown, read: (path) => files[path], names, ask: async () => undefined }
}

describe('managed settings', () => {
  it.each(['disableAllHooks', 'allowManagedHooksOnly'])('[CM12] may forbid hooks: %s', (key) => {
    const folder = '/etc/claude-code'
    const files = {
      [`${folder}/managed-settings.json`]: 'not JSON',
      [`${folder}/managed-settings.d/10.json`]: JSON.stringify({ [key]: false }),
    }
    expect(checkManaged(looking(files))).toEqual([])
    const forbidding = { ...files, [`${folder}/managed-settings.d/20.json`]: `{"${key}": true}` }
    expect(checkManaged(looking(forbidding))).toMatchObject([
      { level: 'problem', what: expect.stringContaining('20.json') },
    ])
  })

  it('lie where the system’s administrator puts them', () => {
    const path = '/Library/Application Support/ClaudeCode/managed-settings.json'
    const files = { [path]: '{"disableAllHooks": true}' }
    expect(checkManaged(looking(files, 'darwin'))).toHaveLength(1)
    expect(checkManaged(looking(files))).toEqual([])
    expect(checkManaged(looking(files, 'win32'))).toEqual([])
  })
})
