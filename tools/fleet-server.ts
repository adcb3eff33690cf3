/**
 * `npm run fleet:server`: fetches the NATS servers that tests run, and prints their paths.
 * `npm run fleet:server -- start`: runs the newest on a free port of this machine, until Ctrl-C.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchNatsServer, NATS_SERVERS } from './fleet/servers.ts'

try {
  const paths: string[] = []
  for (const { version } of NATS_SERVERS) {
    const path = await fetchNatsServer(version)
    process.stdout.write(`nats-server ${version}: ${path}\n`)
    paths.push(path)
  }
  if (process.argv[2] === 'start') start(paths.at(-1) ?? '')
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

/** It prints its port itself, and keeps nothing. */
function start(path: string): void {
  const store = mkdtempSync(join(tmpdir(), 'vigil-nats-'))
  const args = ['--addr', '127.0.0.1', '--port', '-1', '--jetstream', '--store_dir', store]
  const server = spawn(path, args, { stdio: 'inherit' })
  process.on('SIGINT', () => server.kill('SIGTERM'))
  server.on('exit', () => rmSync(store, { recursive: true, force: true }))
}
