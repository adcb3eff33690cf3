import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HomeContext, Texts, Wish } from '../../setup.ts'
import { HOOKED_EVENTS, handlerOf, trustedText } from '../events.ts'
import { codexSetup as setup } from './index.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const HOOK = '/v/hooks/vigil-hook-codex'
const own = { hook: HOOK, earlier: ['/old place/vigil-hook-codex'], scripts: '/v', copies: '/v' }
const place: HomeContext = {
  ...{ home: '/h', real: '/h', version: '0.166.0', memory: undefined, own, sha256 },
}
const mine = { matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] }

function plan(base: Texts = {}, more: Partial<Wish> = {}, found: Texts = base) {
  return setup.plan(found, base, { ...place, asked: {}, env: {}, ...more })
}
const marksIn = (config = '') =>
  [...config.matchAll(/^\[hooks\.state\."(.+)"\]\ntrusted_hash = "(.+)"$/gm)].map(
    ([, key, mark]) => [key, mark] as const,
  )

describe('hooks and their trust', () => {
  it('[CX20] no event of a tool or of a model request costs a process', () => {
    expect(setup.wantedEvents(undefined)).toEqual(HOOKED_EVENTS)
    expect(HOOKED_EVENTS.filter((event) => /Tool|Model/.test(event))).toEqual([])
  })

  it('[CX21] only SessionEnd and Stop are waited for, and no limit is above the client’s', () => {
    const handlers = HOOKED_EVENTS.map((event) => [event, handlerOf(event, HOOK)] as const)
    const waited = handlers.filter(([, { async }]) => !async).map(([event]) => event)
    expect(waited).toEqual(['SessionEnd', 'Stop'])
    expect(handlerOf('Interrupt', HOOK).timeout).toBe(3)
    expect(handlerOf('SessionEnd', HOOK).timeout).toBe(3)
    expect(handlerOf('Stop', HOOK)).toEqual({
      ...{ type: 'command', command: `exec ${HOOK} answer`, timeout: 630 },
    })
  })

  it('[CX22] the hash is the one that the client lists for such a hook', () => {
    // As `hooks/list` of 0.166.0 gave them.
    expect(sha256(trustedText('Stop', '/x/vigil-hook'))).toBe(
      'e64746fdbdda37e8422e643a648e0d85c80583aa4ccad986660eed5507bf2674',
    )
    expect(sha256(trustedText('Interrupt', '/x/vigil-hook'))).toBe(
      'fbe18d6917212d48a584d649b4499b1548503753d6a1b1e0b2ead981b1e34911',
    )
  })

  it('[CX22] a mark names the place behind the groups of the user’s', () => {
    const hooks = JSON.stringify({ hooks: { Stop: [mine, { hooks: [] }], Other: [mine] } })
    const { texts } = plan({ 'hooks.json': hooks })
    const keys = marksIn(texts['config.toml']).map(([key]) => key)
    expect(keys).toHaveLength(HOOKED_EVENTS.length)
    expect(keys).toContain('/h/hooks.json:stop:2:0')
    expect(keys).toContain('/h/hooks.json:user_prompt_submit:0:0')
    expect(JSON.parse(texts['hooks.json'] ?? '').hooks.Stop.slice(0, 2)).toEqual([
      mine,
      { hooks: [] },
    ])
  })

  it('[CX22] a linked home has marks for both of its names', () => {
    const keys = marksIn(plan({}, { real: '/disk/h' }).texts['config.toml']).map(([key]) => key)
    expect(keys).toHaveLength(2 * HOOKED_EVENTS.length)
    expect(keys).toContain('/h/hooks.json:stop:0:0')
    expect(keys).toContain('/disk/h/hooks.json:stop:0:0')
  })

  it('[CX22] a mark that was left for a hook of that place is replaced', () => {
    const config = '[hooks.state."/h/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:old"\n'
    const marks = marksIn(plan({ 'config.toml': config }).texts['config.toml'])
    const stop = marks.filter(([key]) => key?.includes(':stop:'))
    expect(stop).toEqual([
      ['/h/hooks.json:stop:0:0', `sha256:${sha256(trustedText('Stop', HOOK))}`],
    ])
  })

  it('[I4] in place, nothing changes; behind a new group of the user’s it is not', () => {
    const { texts, memory } = plan({ 'config.toml': '# mine\n' })
    expect(plan({}, { memory }, texts).texts).toEqual(texts)
    const value = JSON.parse(texts['hooks.json'] ?? '')
    value.hooks.Stop.unshift(mine)
    const moved = { ...texts, 'hooks.json': JSON.stringify(value) }
    const base = { 'hooks.json': JSON.stringify({ hooks: { Stop: [mine] } }), 'config.toml': '' }
    expect(plan(base, { memory }, moved).texts['config.toml']).toContain(':stop:1:0"]')
  })

  it.each([
    ['comments', '// mine\n{}', '', /hooks\.json:1:1: .*comments/],
    ['a byte order mark', '\uFEFF{}', '', /byte order mark/],
    ['hooks switched off', '{}', '[features]\nhooks = false\n', /features\.hooks is false/],
  ])('[CX25] %s: the warning says that no hook runs', (_, hooks, config, said) => {
    const { warnings, inForce } = plan({ 'hooks.json': hooks, 'config.toml': config })
    expect(warnings).toEqual([expect.stringMatching(said)])
    expect(inForce).toBe(false)
  })

  it('[CX59] a client older than those that were tested: a warning, and the hooks', () => {
    const { warnings, inForce, texts } = plan({}, { version: '0.99.0' })
    expect(warnings).toEqual([expect.stringMatching(/^Codex 0\.99\.0 may not run .*0\.166\.0/)])
    expect(inForce).toBe(true)
    expect(texts['hooks.json']).toContain('Stop')
    for (const version of [undefined, '0.166.0', '0.300.0', '1.0.0'])
      expect(plan({}, { version }).warnings).toEqual([])
  })

  it('[I5] a file of another shape is refused', () => {
    expect(() => plan({ 'hooks.json': '{"hooks": {"Stop": 1}}' })).toThrow('/h/hooks.json:1:20: ')
    expect(() => plan({ 'config.toml': 'hooks = {}\n' })).toThrow('/h/config.toml:1:1: ')
  })
})

describe('taking them out', () => {
  const HOOKS = '{\r\n  "hooks": { "Stop": [ ] }\r\n}'
  const CONFIG = '# mine\r\nmodel = "x" # why\r\n[tui]\r\nbell = true'
  const base = { 'hooks.json': HOOKS, 'config.toml': CONFIG }
  const remove = (texts: Texts, more: Partial<HomeContext> = {}) =>
    Object.keys(base).map((file) => setup.remove(file, texts[file] ?? '', { ...place, ...more }))

  it('[CX24] gives back every byte', () => {
    const { texts, memory } = plan(base)
    expect(remove(texts, { memory })).toEqual([HOOKS, CONFIG])
  })

  it('[CX24] also of a home that was moved, and of a mark that its user switched off', () => {
    const { texts, memory } = plan(base)
    const config = texts['config.toml']?.replaceAll('/h/hooks.json', '/moved/hooks.json')
    const edited = { ...texts, 'config.toml': `${config}enabled = false\r\n` }
    expect(remove(edited, { memory })).toEqual([HOOKS, CONFIG])
  })

  it('[CX24] other marks stay, and without the note vigil’s are known by their hash', () => {
    const { texts } = plan({ 'config.toml': 'a = 1\n' })
    const other = '[hooks.state."/h/hooks.json:stop:1:0"]\ntrusted_hash = "sha256:theirs"\n'
    const [, config] = remove({ ...texts, 'config.toml': `${texts['config.toml']}${other}` })
    expect(config).toBe(`a = 1\n\n${other}`)
  })

  it('[CX24] hooks of an earlier install go as well', () => {
    const earlier = { ...own, hook: '/old place/vigil-hook-codex' }
    const { texts } = plan({}, { own: earlier })
    expect(remove(texts).map((text) => text.trim())).toEqual(['{}', ''])
  })
})
