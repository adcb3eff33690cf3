import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noSecondUser, SecondUser } from '../support/second-user.ts'

const SYSTEMD = ['/usr/lib/systemd/systemd', '/lib/systemd/systemd'].find((path) =>
  existsSync(path),
)
const NAMESPACE = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
const MOUNTS = `mount --make-rprivate / && mount -t tmpfs tmpfs /run &&
mount -t cgroup2 none /sys/fs/cgroup`

/** Why no user manager of systemd can be run here, beside what runs the machine. */
export const noUserManager: string | undefined =
  noSecondUser ??
  (SYSTEMD === undefined || spawnSync('dbus-daemon', ['--version']).error
    ? 'systemd or dbus-daemon is not installed'
    : spawnSync('unshare', [...NAMESPACE, 'sh', '-c', MOUNTS]).status !== 0
      ? 'no namespace with a cgroup2 of its own can be made'
      : undefined)

/**
 * Runs a shell script as a new user within a user manager of its own; what it prints. The machine
 * need not run systemd: the manager has its own /run, processes and cgroups.
 */
export function withUserManager(script: string): string {
  const user = new SecondUser()
  const folder = mkdtempSync(join(tmpdir(), 'vigil-manager-'))
  const group = `/sys/fs/cgroup/${user.name}`
  const home = join(folder, 'home')
  mkdirSync(home)
  const within = `dbus-daemon --session --address="$DBUS_SESSION_BUS_ADDRESS" --fork --nopidfile
'${SYSTEMD}' --user 2>'${home}/manager.log' &
until systemctl --user is-system-running >/dev/null 2>&1; do sleep 0.1; done
${script}\n`
  const around = `set -e
${MOUNTS}
runtime=/run/user/${user.uid}
mkdir -p /run/systemd/system /run/systemd/unit-root "$runtime" '${group}/inner'
chown -R ${user.uid}:${user.gid} "$runtime" '${group}' '${folder}'
chmod 700 "$runtime"
chmod 755 '${folder}'
echo $$ >'${group}/inner/cgroup.procs'
exec setpriv --reuid=${user.uid} --regid=${user.gid} --init-groups env -i PATH=/usr/bin:/bin \\
  HOME='${home}' USER='${user.name}' XDG_RUNTIME_DIR="$runtime" LC_ALL=C.UTF-8 \\
  DBUS_SESSION_BUS_ADDRESS="unix:path=$runtime/bus" sh '${folder}/within'\n`
  writeFileSync(join(folder, 'within'), within)
  try {
    const options = { encoding: 'utf8', timeout: 90_000 } as const
    const { stdout, stderr } = spawnSync('unshare', [...NAMESPACE, 'sh', '-c', around], options)
    return stdout + stderr
  } finally {
    const clear = `${MOUNTS}; find '${group}' -depth -type d -exec rmdir {} \\;`
    spawnSync('unshare', ['--mount', 'sh', '-c', clear])
    user.remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
