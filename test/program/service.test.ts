import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { vigilIn } from '../commands/support.ts'
import { itUnless } from '../support/needs.ts'
import { noUserManager, withUserManager } from './user-manager.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-service-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The new user must be able to read vigil itself. */
const isReadable = [COMMAND, process.execPath].every((path) => {
  for (let at = path; at !== '/'; at = dirname(at))
    if ((statSync(at).mode & 0o005) !== 0o005 && (statSync(at).mode & 0o004) === 0) return false
  return true
})
const why = noUserManager ?? (isReadable ? undefined : 'another user cannot read this checkout')

const SCRIPT = `cd /
vigil() { '${process.execPath}' '${COMMAND}' "$@"; }
part() { echo "== $1"; }
mkdir -p ~/.config/vigil
echo '{"tmux":{"on":true}}' >~/.config/vigil/settings.json
part install; vigil service install; vigil service status --json
mkdir -p ~/.config/systemd/user/vigil.service.d
# What systemd 254 does by itself, so that older ones restrict the file system, too.
printf '[Service]\\nPrivateUsers=yes\\n' >~/.config/systemd/user/vigil.service.d/x.conf
systemctl --user daemon-reload; systemctl --user restart vigil.service
pid=$(systemctl --user show -P MainPID vigil.service)
until [ -e "$XDG_RUNTIME_DIR/vigil/daemon.json" ]; do sleep 0.1; done
part process; grep -E '^(NoNewPrivs|Seccomp|Uid):' /proc/$pid/status
part mounts; awk '$5 ~ /^(.|.*vigil)$/ { print $5, $6 }' /proc/$pid/mountinfo
part tmux
tmux -f /dev/null new-session -d -s work -n own 'sleep 100'
pane=$(tmux display-message -p '#{pane_pid}')
socket=$(tmux display-message -p '#{socket_path}')
for event in SessionStart UserPromptSubmit Stop; do
  json="{\\"session_id\\":\\"a\\",\\"hook_event_name\\":\\"$event\\",\\"cwd\\":\\"/\\"}"
  head="vigil 1\\nppid=$pane\\nclaudePid=$pane\\ntmux=$socket,1,0\\ntmuxPane=%%0"
  printf "$head\\n\\n%s\\n.\\n" "$json" \\
    >~/.local/state/vigil/spool/hook.$(date +%N | sed 's/^0*//')
  sleep 0.1
done
for _ in $(seq 100); do
  [ "$(tmux display-message -p '#{window_name}')" = own ] || break
  sleep 0.1
done
tmux display-message -p '#{window_name}'
part stopped; vigil stop; systemctl --user is-active vigil.service
part started; vigil status >/dev/null; systemctl --user is-active vigil.service
part uninstall; vigil service remove; ls ~/.config/systemd/user
tmux kill-server
systemctl --user exit`

describe('[PF10] the daemon as a service', () => {
  itUnless(why)('works within its restrictions, in systemd itself', () => {
    const said = withUserManager(SCRIPT)
    const parts = new Map(
      said.split(/^== /m).map((part) => [part.split('\n')[0], part.slice(part.indexOf('\n') + 1)]),
    )
    expect(parts.get('install'), said).toMatch(/^installed in .*"service":"active".*active/s)
    expect(parts.get('process')).toMatch(/NoNewPrivs:\t1\nSeccomp:\t2/)
    const mounts = parts.get('mounts') ?? ''
    expect(mounts).toMatch(/^\/ ro,/m)
    for (const name of ['.local/share', '.local/state', '.config', '.cache'])
      expect(mounts).toMatch(new RegExp(`/${name.replaceAll('.', '\\.')}/vigil rw,`))
    expect(parts.get('tmux')).toMatch(/🤖/)
    expect(parts.get('stopped')).toMatch(/stopped .*\ninactive/)
    expect(parts.get('started')).toBe('active\n')
    expect(parts.get('uninstall')).not.toMatch(/vigil\.(service|socket)$/m)
  })
})

describe('[PF9] vigil service', () => {
  const run = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
    vigilIn(folder, ['service', ...args], {
      env: { HOME: folder, XDG_CONFIG_HOME: undefined, CLAUDECODE: undefined, ...env },
    })

  it('prints the units and changes nothing', async () => {
    const { stdout, status } = await run(['install', '--print', '--port', '40123'])
    expect(status).toBe(0)
    expect(stdout).toContain('ListenStream=127.0.0.1:40123\n')
    expect(stdout).toContain('NoNewPrivileges=yes\n')
    expect(existsSync(join(folder, '.config/systemd'))).toBe(false)
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toEqual({ installed: false })
    expect((await run(['install', '--port', '80'])).status).toBe(2)
  })

  it('is not installed by an agent, nor where systemd does not run the machine', async () => {
    const agent = await run(['install'], { CLAUDECODE: '1' })
    expect(agent.stderr).toMatch('this command runs inside an agent: only the user installs')
    if (!existsSync('/run/systemd/system')) {
      const none = await run(['install'])
      expect(none).toMatchObject({ status: 1 })
      expect(none.stderr).toMatch(/does not run systemd|no systemctl/)
    }
    expect(existsSync(join(folder, '.config/systemd'))).toBe(false)
  })
})
