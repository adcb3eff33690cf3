import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { STEPS } from './run/steps.ts'
import { fileOf } from './support/files.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const manifest = JSON.parse(fileOf('package.json').text)
const read = (path: string) => parse(fileOf(path).text, { strict: true, uniqueKeys: true })
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: root })
const FORMS = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter(
  (path) => !path.endsWith('/config.yml'),
)

interface Job {
  readonly permissions?: object
  readonly 'timeout-minutes'?: number
  readonly uses?: string
  readonly steps?: readonly { readonly run?: string; readonly uses?: string }[]
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } }
}

const jobsOf = (path: string): readonly Job[] => Object.values(read(path).jobs)
const stepsOf = (path: string) => jobsOf(path).flatMap(({ steps = [] }) => steps)

/** What is wrong with a command of a workflow: an npm script or a file that does not exist. */
function faultsOf(command: string): string[] {
  const scripts = [...command.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name)
  const files = [...command.matchAll(/(?:\bnode |(?<=[ ]))((?:tools|test|\.ci)\/[\w./-]+)/g)]
  const steps = [...command.matchAll(/test\/run\/main\.ts (\w+)/g)].map(([, name = '']) => name)
  return [
    ...scripts.filter((name) => !['ci', 'publish'].includes(name) && !(name in manifest.scripts)),
    ...files.map(([, path = '']) => path).filter((path) => !existsSync(`${root}${path}`)),
    ...steps.filter((name) => !(name in STEPS)),
  ]
}

describe('workflows', () => {
  it('there are two', () => {
    expect(WORKFLOWS.map((path) => path.split('/').at(-1)).toSorted()).toEqual([
      'ci.yml',
      'release.yml',
    ])
  })

  it.each(WORKFLOWS)('%s runs only npm scripts and files that exist', (path) => {
    const commands = stepsOf(path).flatMap(({ run }) => run ?? [])
    expect(commands.length).toBeGreaterThan(2)
    expect(commands.flatMap(faultsOf)).toEqual([])
  })

  it('a script, a file and a step that do not exist are found', () => {
    const command = 'npm run gone && node tools/gone.ts && node test/run/main.ts lost'
    expect(faultsOf(command)).toEqual(['gone', 'tools/gone.ts', 'lost'])
  })

  it.each(WORKFLOWS)('%s may read and no more, unless a job says otherwise', (path) => {
    expect(read(path).permissions).toEqual({ contents: 'read' })
  })

  it.each(WORKFLOWS)('%s pins each action and limits each job', (path) => {
    const actions = [...jobsOf(path), ...stepsOf(path)].flatMap(({ uses }) => uses ?? [])
    const loose = actions.filter((name) => !/^\.\/|@(v\d+|[0-9a-f]{40})$/.test(name))
    expect(loose).toEqual([])
    const endless = jobsOf(path).filter((job) => !job.uses && !job['timeout-minutes'])
    expect(endless).toEqual([])
  })

  it('the oldest Node of the matrix is the oldest that the package takes', () => {
    const [quick] = jobsOf('.github/workflows/ci.yml')
    const nodes = quick?.strategy?.matrix.node ?? []
    const [, oldest] = /^>=(\d+)/.exec(manifest.engines.node) ?? []
    expect(Math.min(...nodes)).toBe(Number(oldest))
    const { version } = JSON.parse(fileOf('tools/node/package.json').text)
    expect(nodes).toContain(Number.parseInt(version, 10))
    expect(fileOf('.nvmrc').text.trim()).toBe(version.split('.')[0])
  })
})

describe('forms', () => {
  it.each(FORMS)('%s has a name, a description and fields with ids of their own', (path) => {
    const { name, description, body } = read(path)
    expect([name, description].every((text) => typeof text === 'string' && text !== '')).toBe(true)
    const fields = body.filter(({ type }: { type: string }) => type !== 'markdown')
    const ids = fields.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { type, id, attributes } of fields) {
      expect(['input', 'textarea']).toContain(type)
      expect(id).toMatch(/^[\w-]+$/)
      expect(attributes.label).toBeTypeOf('string')
    }
    expect(fields.length).toBeGreaterThan(2)
  })

  it('the form for a wrong state asks for the file of `vigil export`', () => {
    const { body } = read('.github/ISSUE_TEMPLATE/wrong-state.yml')
    const needed = body.filter((field: { validations?: { required?: boolean } }) => {
      return field.validations?.required
    })
    expect(JSON.stringify(needed)).toContain('vigil export')
  })

  it('Dependabot updates packages and actions', () => {
    const { version, updates } = read('.github/dependabot.yml')
    expect(version).toBe(2)
    const ecosystems = updates.map((update: Record<string, string>) => update['package-ecosystem'])
    expect(ecosystems).toEqual(['npm', 'github-actions'])
  })
})
