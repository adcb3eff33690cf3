import { parseJson } from '../../../core/json.ts'
import { type CheckFinding, finding } from '../../finding.ts'
import { type Fields, fields } from '../../read.ts'
import type { MachineReader } from '../../setup.ts'

/** Where an administrator's settings are. */
function managedFolders(platform: string): readonly string[] {
  if (platform === 'darwin') return ['/Library/Application Support/ClaudeCode']
  return platform === 'linux' ? ['/etc/claude-code'] : []
}

/** Settings that only the administrator can change; empty where there is no problem. */
export function checkManaged(look: MachineReader): CheckFinding[] {
  const paths = managedFolders(look.platform).flatMap((folder) => filesIn(folder, look))
  return paths.flatMap((path) => {
    const settings = settingsIn(look.read(path))
    if (settings.disableAllHooks === true) return [forbids(path, 'disableAllHooks: no hook runs')]
    if (settings.allowManagedHooksOnly === true)
      return [forbids(path, 'allowManagedHooksOnly: only the administrator’s hooks run')]
    return []
  })
}

function forbids(path: string, what: string): CheckFinding {
  return finding.problem(
    'hooks',
    `${path} sets ${what}`,
    'ask your administrator to allow vigil’s hooks; until then vigil reads only the agent’s files',
  )
}

function filesIn(folder: string, { names }: MachineReader): string[] {
  const pieces = `${folder}/managed-settings.d`
  const more = names(pieces).filter((name) => name.endsWith('.json'))
  return [`${folder}/managed-settings.json`, ...more.toSorted().map((name) => `${pieces}/${name}`)]
}

function settingsIn(text: string | undefined): Fields {
  return fields(parseJson(text ?? ''))
}
