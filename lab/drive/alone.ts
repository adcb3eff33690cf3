import { spawnSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

/** Some clients call home whatever their settings say: they run where nothing but loopback is. */
export function isAlone(): boolean {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.length > 0 && all.every(({ internal }) => internal)
}

/** Runs this command again in a network of its own; its exit code, or what is missing for that. */
export function againAlone(): number | string {
  const [program = '', ...args] = [process.execPath, ...process.argv.slice(1)]
  const isRoot = process.getuid?.() === 0
  const start = 'ip link set lo up && exec "$@"'
  const own = ['--net', ...(isRoot ? [] : ['--map-root-user']), 'sh', '-c', start, 'sh']
  const probe = spawnSync('unshare', [...own, 'true'], { encoding: 'utf8' })
  if (probe.status !== 0) {
    const why = probe.error?.message ?? probe.stderr.trim()
    return `no network of its own can be made (unshare, ip): ${why}`
  }
  return spawnSync('unshare', [...own, program, ...args], { stdio: 'inherit' }).status ?? 1
}
