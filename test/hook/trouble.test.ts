import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { itUnless } from '../support/needs.ts'
import { run, runAfter, runHook, type Stage, shells, silent, spooled, stage } from './support.ts'

const payload = '{"session_id":"a","hook_event_name":"Stop"}\n'
const big = `{"text":"${'x'.repeat(50_000_000)}"}\n`

/** Of a folder that takes this much a payload twice as long can only come in part. */
const DISK_BYTES = 64 * 1024
const long = `{"text":"${'x'.repeat(2 * DISK_BYTES)}"}\n`

describe.each(shells)('trouble, in %s', (shell) => {
  it('[HK2] no variables at all', async () => {
    const on = stage()
    expect(await runHook(shell, on, { env: {}, input: payload })).toMatchObject(silent)
    const env = ['env', '-i', ...shell.split(' '), on.hook]
    expect(await run(on, env, { input: payload })).toMatchObject(silent)
    expect(spooled(on).filter(({ complete }) => complete)).toHaveLength(2)
  })

  it.each(['', '/nowhere', '.'])('[HK2] PATH is %j', async (PATH) => {
    const on = stage()
    const found = execFileSync('/bin/sh', ['-c', `command -v ${shell.split(' ')[0]}`], {
      encoding: 'utf8',
    }).trim()
    const command = [found, ...shell.split(' ').slice(1), on.hook]
    expect(await run(on, command, { env: { PATH }, input: payload })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
  })

  it('[HK2] variables of the names that the script uses', async () => {
    const on = stage()
    const own = 'reader timer report spool run now then guard pid start stat count tty terminal'
    const env = Object.fromEntries(own.split(' ').map((name) => [name, '1']))
    expect(await runHook(shell, on, { env, input: payload })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
  })

  it('[HK2] HOME is read-only', async () => {
    const on = stage()
    const HOME = join(on.folder, 'home')
    mkdirSync(HOME)
    chmodSync(HOME, 0o500)
    expect(await runHook(shell, on, { env: { HOME }, input: payload })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true }])
  })

  it('[HK2] the folder it runs in is deleted', async () => {
    const on = stage()
    const prelude = 'mkdir "$1.cwd" && cd "$1.cwd" && rmdir "$1.cwd"'
    const { stderr, ...ended } = await runAfter(prelude, shell, on, { input: payload })
    expect({ ...ended, stderr: '' }).toMatchObject(silent)
    // Shells say this before they read the first line of a script.
    expect(stderr.replaceAll(/^.*(getcwd).*\n/gm, '')).toBe('')
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
  })

  it.each(['<&-', '>&-', '2>&-', '<&- >&- 2>&-'])(
    '[HK2] closed from the start: %s',
    async (how) => {
      const on = stage()
      const script = `exec ${shell} "$0" ${how}`
      const command = ['/bin/sh', '-c', script, on.hook]
      expect(await run(on, command, { input: payload })).toMatchObject(silent)
      const files = spooled(on)
      if (how.includes('<')) expect(files.filter(({ complete }) => complete)).toEqual([])
      else expect(files).toMatchObject([{ complete: true, payload }])
    },
  )

  it('[HK2] the spool folder cannot be made: the client gets rid of its payload', async () => {
    const on = stage({ spool: '/dev/null/spool' })
    const ended = await runHook(shell, on, { input: big })
    expect(ended).toMatchObject({ ...silent, unread: false })
  })

  it('[HK2] the spool is a file', async () => {
    const on = stage()
    writeFileSync(on.spool, 'mine')
    expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
  })

  it('[HK1] a payload of 50 MB', async () => {
    const on = stage()
    expect(await runHook(shell, on, { input: big })).toMatchObject(silent)
    const [file] = spooled(on)
    expect(file?.complete).toBe(true)
    expect(file?.payload === big).toBe(true)
  })

  it('[HK6] a file that may not grow on leaves nothing', async () => {
    const on = stage()
    // In blocks of 512 or 1024 bytes.
    expect(await runAfter('ulimit -f 16', shell, on, { input: long })).toMatchObject(silent)
    expect(spooled(on)).toEqual([])
    expect(await runAfter('ulimit -f 0', shell, on, { input: payload })).toMatchObject(silent)
    expect(spooled(on)).toEqual([])
    expect(await runAfter('ulimit -f 16', shell, on, { input: payload })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
  })

  it('[HK6] a file that has no room for its last line leaves nothing', async () => {
    const on = stage()
    await runHook(shell, on, { input: '' })
    const room = 16 * 512 - (spooled(on)[0]?.text.length ?? 0)
    rmSync(on.spool, { recursive: true, maxRetries: 10 })
    // Process ids may have a digit more or less.
    for (let length = room - 8; length < room + 8; length++) {
      const input = 'x'.repeat(length)
      expect(await runAfter('ulimit -f 16', shell, on, { input })).toMatchObject(silent)
    }
    const files = spooled(on)
    expect(files.length).toBeGreaterThan(2)
    expect(files.length).toBeLessThan(14)
    expect(files.every(({ complete }) => complete)).toBe(true)
  })

  itUnless(canMount() ? undefined : 'nothing can be mounted')(
    '[HK6] a full disk leaves nothing, and harms no file on it',
    async () => {
      const on = stage({ spool: smallDisk() })
      expect(await runHook(shell, on, { input: long })).toMatchObject(silent)
      expect(spooled(on)).toEqual([])
      expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
      fill(on)
      expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
      const kept = spooled(on).filter(({ name }) => name !== 'fill')
      expect(kept).toMatchObject([{ complete: true, payload }])
    },
  )
})

/** Root's processes are not counted: then those of another user are. */
const COUNTED_UID = process.getuid?.() === 0 ? 65_534 : process.getuid?.()

// All at once: bash tries for some seconds.
describe.concurrent.each(shells)('no process can be started, in %s', (shell) => {
  it('[HK2] and the hook ends in silence', async (test) => {
    const on = stage({}, test.onTestFinished)
    chmodSync(on.folder, 0o777)
    chmodSync(on.hook, 0o755)
    const options = { input: payload, ...(COUNTED_UID && { uid: COUNTED_UID }) }
    const command = ['bash', '-c', `ulimit -u 1; exec ${shell} "$0"`, on.hook]
    test.expect(await run(on, command, options)).toMatchObject(silent)
    test.expect(spooled(on).filter(({ complete }) => complete)).toEqual([])
  })
})

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-mount-'))
  try {
    mount(folder)
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function smallDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-disk-'))
  mount(folder)
  onTestFinished(() => {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return folder
}

function mount(folder: string): void {
  const options = `size=${DISK_BYTES}`
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
}

function fill({ spool }: Stage): void {
  try {
    writeFileSync(join(spool, 'fill'), Buffer.alloc(DISK_BYTES))
  } catch {
    // Full is what it should be.
  }
}
