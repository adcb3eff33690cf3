import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MANIFEST = join(ROOT, 'package.json')

const PACKED = [
  ...['README.md', 'SECURITY.md', 'bin/vigil.js', 'demo/story.txt', 'docs/guide/start.md'],
  ...['docs/page.png', 'dist/app/main.js', 'dist/man/vigil.1', 'dist/page/index.html'],
  ...['hook/vigil-hook', 'lab/README.md', 'package.json', 'plugin/commands/loop.md'],
]
const LEFT = [
  ...['dist/app/main.d.ts', 'dist/.app.tsbuildinfo', 'dist/page.d.ts', 'src/app/main.ts'],
  ...['test/a.test.ts', 'lab/run.ts', 'tools/bom.ts', 'tsconfig.json'],
]

it('[I18] what runs and what README names is packed, and nothing of how it was built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-files-'))
  try {
    for (const path of [...PACKED, ...LEFT]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
    cpSync(MANIFEST, join(folder, 'package.json'))
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline']
    const { stdout } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
    expect(files.map(({ path }) => path).toSorted()).toEqual(PACKED.toSorted())
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('[I18] every built file that a program names is built from a source of that name', () => {
  const named = readdirSync(join(ROOT, 'bin')).flatMap((name) =>
    [...readFileSync(join(ROOT, 'bin', name), 'utf8').matchAll(/dist\/([\w/-]+)\.js/g)].map(
      ([, path = '']) => path,
    ),
  )
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((path) => !existsSync(join(ROOT, 'src', `${path}.ts`)))).toEqual([])
})
