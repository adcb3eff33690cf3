import { AGENTS, foldersNamedIn, folderVariableOf } from '../agents/index.ts'
import { trustedPath } from '../platform/programs.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * SPEC PF3. All variables that a daemon uses. A project may set variables for its agent, and many
 * of them make Node, OpenSSL, libc, git or a shell load a file of its choice: a list of those would
 * never be complete, so this lists what passes. None of them is a secret.
 */
export const daemonVariables = (): readonly string[] => [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ'],
  ...['TMPDIR', 'TMUX_TMPDIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['DBUS_SESSION_BUS_ADDRESS', 'WSL_DISTRO_NAME', 'WSL_INTEROP'],
  ...['XDG_RUNTIME_DIR', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME'],
  ...['VIGIL_HOME', 'VIGIL_LOOP_DISABLE', 'IDLE_LOOP_DISABLE'],
  ...AGENTS.map(({ id }) => folderVariableOf(id)),
]

/**
 * The environment of a daemon that is started from this one. Started from within an agent it must
 * not look like the agent's child: a client that inherits its variables hides its session. The
 * agent's own folder passes, under a name of vigil's.
 */
export function daemonEnv(env: Env): Record<string, string> {
  const kept = daemonVariables().flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), ...foldersNamedIn(env), PATH: trustedPath(env) }
}
