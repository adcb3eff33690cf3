import { spawn } from 'node:child_process'
import { findProgram, trustedPath } from '../../platform/programs.ts'
import { SYSTEM } from '../../platform/system.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A program that opens addresses reports a failure within this time. */
const OPENED_MAX_MS = 3_000

/** Opens an address in the user's browser; false if there is none. */
export async function openBrowser(
  address: string,
  env: Env = process.env,
  platform: NodeJS.Platform = SYSTEM,
): Promise<boolean> {
  for (const program of openersOf(env, platform)) {
    const path = findProgram(program, env)
    if (path !== undefined && (await opened(path, address, env))) return true
  }
  return false
}

/** Without a display xdg-open would start a text browser in this terminal and stay there. */
function openersOf(env: Env, platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return env.SSH_CONNECTION ? [] : ['open']
  if (env.WSL_DISTRO_NAME) return ['wslview', 'xdg-open']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : []
}

function opened(program: string, address: string, env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    // `xdg-open` is a script that looks for other programs itself.
    const safe = { ...env, PATH: trustedPath(env) }
    const child = spawn(program, [address], { detached: true, stdio: 'ignore', env: safe })
    // Some programs run as long as the browser does: then the browser was opened.
    const late = setTimeout(() => resolve(true), OPENED_MAX_MS)
    const end = (isOpen: boolean) => {
      clearTimeout(late)
      resolve(isOpen)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
    child.unref()
  })
}
