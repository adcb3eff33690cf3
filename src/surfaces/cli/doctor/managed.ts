import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, type Patient, problem } from './finding.ts'

/** Where an administrator's settings lie. */
export function managedFolders(platform: string): readonly string[] {
  if (platform === 'darwin') return ['/Library/Application Support/ClaudeCode']
  return platform === 'linux' ? ['/etc/claude-code'] : []
}

/** Settings that nobody but the administrator can overrule; nothing is said where all is well. */
export function checkManaged({ managed }: Patient): Finding[] {
  return managed.flatMap(filesIn).flatMap((path) => {
    const settings = settingsIn(path)
    if (settings?.disableAllHooks === true)
      return [forbids(path, 'disableAllHooks: no hook runs at all')]
    if (settings?.allowManagedHooksOnly === true)
      return [forbids(path, 'allowManagedHooksOnly: hooks of users do not run')]
    return []
  })
}

function forbids(path: string, what: string): Finding {
  return problem(
    'hooks',
    `${path} sets ${what}`,
    'ask your administrator to allow vigil’s hooks; until then vigil sees registry and transcripts',
  )
}

function filesIn(folder: string): string[] {
  const pieces = join(folder, 'managed-settings.d')
  return [
    join(folder, 'managed-settings.json'),
    ...namesIn(pieces).map((name) => join(pieces, name)),
  ]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
  } catch {
    return []
  }
}

function settingsIn(path: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) ?? undefined
  } catch {
    return undefined
  }
}
