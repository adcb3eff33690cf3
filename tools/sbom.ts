/**
 * `npm run sbom`: writes vigil's packages with version and hash as CycloneDX: `dist/sbom.json` for
 * running, `dist/sbom-development.json` for development.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { bomsOf } from './bom.ts'

const root = new URL('../', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'))
const { production, development } = bomsOf(read('package.json'), read('package-lock.json').packages)
mkdirSync(new URL('dist/', root), { recursive: true })
for (const [name, bom] of Object.entries({ sbom: production, 'sbom-development': development })) {
  writeFileSync(new URL(`dist/${name}.json`, root), `${JSON.stringify(bom, null, 2)}\n`)
  process.stdout.write(`dist/${name}.json: ${bom.components.length} packages\n`)
}
