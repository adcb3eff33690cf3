import type { Env } from '../../src/agents/agent.ts'
import { setup } from '../../src/agents/claude/setup/index.ts'
import type { Folders } from '../../src/home/folders.ts'
import { type Installed, install } from '../../src/install/install.ts'
import type { Target } from '../../src/install/plan.ts'
import { uninstall } from '../../src/install/uninstall.ts'

export interface ClaudeInstall {
  readonly folders: Folders
  readonly configDirs: readonly string[]
  readonly version?: string | undefined
  readonly oldest?: Target['oldest']
  readonly statusline?: boolean | undefined
  readonly plugin?: boolean | undefined
  readonly allEvents?: boolean
  readonly env?: Env
  readonly node?: string
  readonly vigil?: string
  readonly dryRun?: boolean
  readonly now?: () => Date
}

const target = (homes: readonly string[], version?: string) => ({
  agent: 'claude',
  setup,
  homes,
  version,
})

/** As `vigil install` does for Claude Code; the client need not be asked for its version. */
export function installClaude(options: ClaudeInstall): Installed {
  const { folders, configDirs, version, statusline, plugin, allEvents, dryRun, now } = options
  const { node = '/bin/true', vigil = 'vigil', env = {} } = options
  const [installed] = install({
    folders,
    targets: [
      { ...target(configDirs, version), ...(options.oldest && { oldest: options.oldest }) },
    ],
    asked: { statusline, plugin },
    allEvents,
    env,
    node,
    vigil,
    dryRun,
    ...(now && { now }),
  })
  return installed as Installed
}

export function uninstallClaude(folders: Folders, configDirs: readonly string[], dryRun = false) {
  return uninstall({ folders, targets: [target(configDirs)], dryRun })
}
