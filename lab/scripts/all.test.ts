import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isAtLeast } from '../../src/agents/version.ts'
import { CLIENTS, CODEX, CODEX_BEFORE, CODEX_NEWEST, NEWEST } from '../clients.ts'
import { RECORDED } from '../record/shipped.ts'
import { CONVERSATIONS } from './all.ts'

const names = CONVERSATIONS.map(({ name }) => name)

describe('the conversations', () => {
  it('are many, and each has a name of its own', () => {
    expect(names.length).toBeGreaterThanOrEqual(40)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
  })

  it('each say in one sentence what they show', () => {
    const poor = CONVERSATIONS.filter(
      ({ shows }) => !/^[A-Z`/].{20,150}\.$/.test(shows) || /\. [A-Z]/.test(shows),
    )
    expect(poor.map(({ name, shows }) => `${name}: ${shows}`)).toEqual([])
  })

  it('can all be played by the newest client', () => {
    const never = CONVERSATIONS.filter(({ since }) => since && !isAtLeast(NEWEST, since))
    expect(never.map(({ name }) => name)).toEqual([])
  })
})

describe('the shipped recordings', () => {
  it('are those that one command makes, and no others', () => {
    const files = readdirSync(new URL('../../test/recordings/', import.meta.url))
    const shipped = files.filter((file) => file.endsWith('.jsonl'))
    expect(shipped.toSorted()).toEqual(RECORDED.map(({ file }) => `${file}.jsonl`).toSorted())
  })

  it('are made with clients the lab installs by a lock file', () => {
    const locked = readdirSync(new URL('../clients/', import.meta.url))
    const codex = [CODEX_NEWEST, CODEX_BEFORE].map((version) => `${CODEX.prefix}${version}`)
    const all = [...CLIENTS.map(({ version }) => version), ...codex]
    expect(all.toSorted()).toEqual(locked.toSorted())
    expect(RECORDED.filter(({ client }) => !locked.includes(client))).toEqual([])
  })
})
