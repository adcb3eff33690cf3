import { describe, expect, it } from 'vitest'
import type { CheckedHome, MachineReader, Texts } from '../../setup.ts'
import { HOOKED_EVENTS } from '../events.ts'
import { codexSetup as setup } from './index.ts'

const own = { hook: '/v/vigil-hook-codex', earlier: [], scripts: '/v', copies: '/v' }
const place = {
  ...{ home: '/h', real: '/h', version: '0.166.0', memory: undefined, own },
  ...{ sha256: (text: string) => `hash of ${text.length}`, cure: 'vigil install' },
}
const { texts } = setup.plan({}, {}, { ...place, asked: {}, env: {} })

function looking(answer?: string) {
  const asked: string[] = []
  const look: MachineReader = {
    ...{ platform: 'linux', shown: (path) => path, read: () => undefined, names: () => [] },
    ask: async (args, input = '') => {
      asked.push(args.join(' '), input)
      return answer
    },
  }
  return { look, asked }
}

async function check(given: Texts, answer?: string) {
  const home: CheckedHome = { ...place, texts: given }
  const { look, asked } = looking(answer)
  const [found] = await setup.check([home], look)
  return { ...found, asked }
}

/** The client's answer, with this state for each of vigil's hooks. */
function listing(state: object, warnings: readonly string[] = []): string {
  const keys = [...(texts['config.toml'] ?? '').matchAll(/state\."(.+)"\]/g)].map(([, key]) => key)
  const hooks = keys.map((key) => ({ key, trustStatus: 'trusted', enabled: true, ...state }))
  const result = { data: [{ cwd: '/h', hooks: state === NONE ? [] : hooks, warnings }] }
  return `{"method":"other"}\ntorn\n${JSON.stringify({ id: 2, result })}\n`
}
const NONE = {}

describe('doctor', () => {
  it('[CX26] asks the client for its list, and says from when it holds', async () => {
    const { level, what, notes, asked } = await check(texts, listing({ enabled: true }))
    expect(level).toBe('ok')
    expect(what).toContain(`${HOOKED_EVENTS.length} events, trusted by Codex’s own list`)
    expect(notes?.join()).toContain('from the next /new, /clear or start on')
    expect(asked[0]).toBe('app-server')
    expect(asked[1]).toContain('"method":"hooks/list"')
  })

  it('[CX26] compares hashes where the client does not answer', async () => {
    expect(await check(texts)).toMatchObject({
      level: 'ok',
      what: expect.stringContaining('trusted by their hashes'),
    })
    const config = texts['config.toml']?.replace('"sha256:hash of', '"sha256:another')
    expect(await check({ ...texts, 'config.toml': config })).toMatchObject({
      level: 'warning',
      what: expect.stringContaining('does not trust 1 of'),
      todo: 'vigil install',
    })
  })

  it.each([
    ['not trusted', listing({ trustStatus: 'modified' }), 'does not trust 10 of'],
    ['switched off', listing({ enabled: false }), '10 of vigil’s hooks are switched off'],
  ])('[CX26] warns of hooks that are %s', async (_, answer, what) => {
    const found = await check(texts, answer)
    expect(found).toMatchObject({ level: 'warning', what: expect.stringContaining(what) })
  })

  it('[CX26] gives the client’s own word on a file that it does not load', async () => {
    const said = 'failed to parse hooks config /h/hooks.json: unknown variant'
    const found = await check(texts, listing(NONE, [said]))
    expect(found).toMatchObject({ level: 'problem', what: `Codex says: ${said}` })
  })

  it('[CX26] names what is missing, and asks no client about nothing', async () => {
    const none = await check({})
    expect(none).toMatchObject({ what: '/h/hooks.json: none of vigil’s', asked: [] })
    const { Stop: _, ...rest } = JSON.parse(texts['hooks.json'] ?? '').hooks
    const some = await check({ ...texts, 'hooks.json': JSON.stringify({ hooks: rest }) })
    expect(some).toMatchObject({ what: '/h/hooks.json: without Stop', todo: 'vigil install' })
  })

  it('[CX25] a file that cannot be read, or hooks that are off, are problems', async () => {
    const off = { ...texts, 'config.toml': `${texts['config.toml']}[features]\nhooks = false\n` }
    expect(await check(off)).toMatchObject({ level: 'problem' })
  })

  it.each([
    ['hooks.json', { 'hooks.json': '{' }],
    ['config.toml', { ...texts, 'config.toml': 'a = ' }],
    ['config.toml', { 'config.toml': 'a = ' }],
  ])('[CX58] names a broken %s and where it is broken', async (file, given) => {
    const { level, what, todo } = await check(given)
    expect(level).toBe('problem')
    expect(what).toMatch(new RegExp(`^/h/${file}:1:\\d+: [^;]+$`))
    expect(todo).toContain(`put /h/${file} right`)
  })
})
