import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { closureOf, type Lock, nameOf } from '../../tools/lock.ts'

const run = promisify(execFile)

interface Packed {
  readonly name: string
  readonly version: string
  /** The tarball itself, or the folder of an installed package that one is made of. */
  readonly path: string
}

/** An npm registry on loopback that has one tarball and what is installed here, and no other. */
export class Registry {
  readonly #packages: readonly Packed[]
  readonly #server: Server
  readonly asked = new Set<string>()

  constructor(root: string, tarball: string) {
    const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
    const lock: Lock = read('package-lock.json').packages
    const { name, version } = read('package.json')
    const installed = [...closureOf(lock, [''])].flatMap((folder) => {
      const { version: of } = lock[folder] ?? {}
      if (folder === '' || of === undefined) return []
      return [{ name: nameOf(folder), version: of, path: join(root, folder) }]
    })
    this.#packages = [{ name, version, path: tarball }, ...installed]
    this.#server = createServer((request, response) => {
      this.#answer(decodeURIComponent(request.url ?? '')).then(
        (body) => response.end(body),
        () => response.writeHead(404).end('{}'),
      )
    })
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.#url
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async #answer(path: string): Promise<string | Buffer> {
    const [, name = '', version] = /^\/(@?[^@]+)(?:@(.+)\.tgz)?$/.exec(path) ?? []
    this.asked.add(name)
    const found = this.#packages.filter((one) => one.name === name)
    if (found.length === 0) throw new Error(`${path}: not installed here`)
    if (version === undefined) return JSON.stringify(await this.#documentOf(name, found))
    return tarballOf(found.find((one) => one.version === version))
  }

  async #documentOf(name: string, found: readonly Packed[]): Promise<object> {
    const versions = found.map(async ({ version, path }) => {
      const dist = { tarball: `${this.#url}${name}@${version}.tgz` }
      return [version, { ...(await manifestOf(path)), dist }] as const
    })
    const all = Object.fromEntries(await Promise.all(versions))
    return { name, 'dist-tags': { latest: found[0]?.version }, versions: all }
  }
}

async function manifestOf(path: string): Promise<object> {
  if (!path.endsWith('.tgz')) return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const { stdout } = await run('tar', ['-xzOf', path, 'package/package.json'])
  return JSON.parse(stdout)
}

/** npm takes the first folder of a tarball away, whatever it is called. */
async function tarballOf(packed: Packed | undefined): Promise<Buffer> {
  if (!packed) throw new Error('no such version')
  const { path } = packed
  if (path.endsWith('.tgz')) return readFileSync(path)
  const args = ['-czf', '-', '--exclude=*/node_modules', '-C', dirname(path), basename(path)]
  const made = await run('tar', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })
  return made.stdout
}
