import { closureOf, folderOf, type Lock, type LockedPackage, nameOf, neededBy } from './lock.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Built into the page: they reach every user, although npm does not install them there. */
export const IN_PAGE: readonly string[] = [
  '@xterm/addon-unicode11',
  '@xterm/xterm',
  'mdast-util-gfm-table',
  'micromark-extension-gfm-table',
  'react-dom',
  'recharts',
]

/**
 * SPEC CT9. What the lock holds, as CycloneDX, in two parts: what vigil needs to run, and what only
 * its development needs. Made from two files alone, so that the same commit gives the same bytes.
 */
export function bomsOf(manifest: Manifest, lock: Lock) {
  const roots = [...Object.keys(manifest.dependencies), ...IN_PAGE]
  const needed = closureOf(
    lock,
    roots.flatMap((name) => folderOf(lock, '', name) ?? []),
  )
  const all = Object.keys(lock).filter((folder) => lock[folder]?.integrity !== undefined)
  return {
    production: bomOf(
      manifest,
      lock,
      all.filter((folder) => needed.has(folder)),
      'required',
    ),
    development: bomOf(
      manifest,
      lock,
      all.filter((folder) => !needed.has(folder)),
      'excluded',
    ),
  }
}

type Scope = 'required' | 'excluded'

function bomOf(manifest: Manifest, lock: Lock, folders: readonly string[], scope: Scope) {
  const { name, version, license } = manifest
  const own = { name, version, license }
  const root = { type: 'application', ...identityOf(name, own), licenses: licensesOf(own) }
  const refs = new Set(folders.map((folder) => refOf(lock, folder)))
  const components = new Map(
    folders.map((folder) => [refOf(lock, folder), componentOf(lock, folder, scope)]),
  )
  const graph = new Map<string, Set<string>>()
  for (const folder of folders) {
    const dependsOn = graph.get(refOf(lock, folder)) ?? new Set()
    for (const one of neededBy(lock, folder))
      if (refs.has(refOf(lock, one))) dependsOn.add(refOf(lock, one))
    graph.set(refOf(lock, folder), dependsOn)
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: root },
    components: [...components.values()],
    dependencies: [...graph].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] })),
  }
}

function componentOf(lock: Lock, folder: string, scope: Scope) {
  const found = lock[folder] ?? {}
  return {
    type: 'library',
    ...identityOf(nameOf(folder), found),
    scope,
    hashes: hashesOf(found.integrity ?? ''),
    licenses: licensesOf(found),
  }
}

function refOf(lock: Lock, folder: string): string {
  return purlOf(nameOf(folder), lock[folder]?.version ?? '')
}

function identityOf(name: string, { version = '' }: LockedPackage) {
  const purl = purlOf(name, version)
  return { 'bom-ref': purl, name, version, purl }
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}

function hashesOf(integrity: string) {
  return integrity.split(' ').map((one) => {
    const [algorithm = '', digest = ''] = one.split(/-(.*)/s)
    const alg = ALGORITHMS[algorithm]
    if (alg === undefined) throw new Error(`${one}: expected the name of a hash, and the hash`)
    return { alg, content: Buffer.from(digest, 'base64').toString('hex') }
  })
}

function licensesOf({ license }: LockedPackage) {
  if (license === undefined) return []
  return /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }]
}
