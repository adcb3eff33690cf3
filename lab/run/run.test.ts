import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Conversation } from '../conversation.ts'
import { RECORDED } from '../record/shipped.ts'
import { sumsOf } from '../score/sums.ts'
import { LAB_AGENTS } from './agents.ts'
import { choose } from './choose.ts'
import { Folder, resultsIn, timeOf } from './folder.ts'
import { middleOf } from './play-all.ts'
import { recordedAs } from './record.ts'

const talk = (name: string, more: Partial<Conversation> = {}): Conversation => ({
  ...{ name, shows: name, user: async () => {} },
  ...more,
})
const TALKS = [
  talk('bash_approve'),
  talk('idle_notify', { long: 'a minute' }),
  talk('bang', { since: '2.1.0' }),
  talk('plan_approve'),
]

function chosen(names: string[], { all = false, client = '2.1.325' } = {}): string[] {
  return choose(TALKS, { names, all, client }).play.map(({ name }) => name)
}

describe('what is played', () => {
  it('is all that does not take long', () => {
    expect(chosen([])).toEqual(['bash_approve', 'bang', 'plan_approve'])
  })

  it('is all there is, when asked for', () => {
    expect(chosen([], { all: true })).toHaveLength(4)
  })

  it('is what was named, in its own order, however long', () => {
    expect(chosen(['idle_notify', 'bash_approve'])).toEqual(['bash_approve', 'idle_notify'])
  })

  it('is not what the client lacks, which is said', () => {
    const wish = { names: [], all: false, client: '2.0.50' }
    expect(choose(TALKS, wish)).toMatchObject({
      play: [{ name: 'bash_approve' }, { name: 'plan_approve' }],
      skipped: [{ name: 'bang', why: 'needs client 2.1.0, this is 2.0.50' }],
    })
    expect(chosen(['bang'], { client: '2.1.0' })).toEqual(['bang'])
  })

  it.each([
    [
      'bash_aprove',
      'no conversation is called bash_aprove; did you mean bash_approve, plan_approve?',
    ],
    ['approve', 'no conversation is called approve; did you mean bash_approve, plan_approve?'],
    ['bnag', 'no conversation is called bnag; did you mean bang?'],
    ['xyz', 'no conversation is called xyz; see --list'],
  ])('is never %s', (name, words) => {
    expect(() => chosen([name])).toThrow(words)
  })
})

describe('what is recorded', () => {
  it('is everything that is shipped, or what is named by file or conversation', () => {
    expect(recordedAs(LAB_AGENTS.claude, [])).toEqual(RECORDED)
    expect(
      recordedAs(LAB_AGENTS.claude, ['older_bash_approve']).map(({ client }) => client),
    ).toEqual(['2.1.150'])
    const files = recordedAs(LAB_AGENTS.claude, ['bash_approve']).map(({ file }) => file)
    expect(files).toEqual(expect.arrayContaining(['bash_approve', 'older_bash_approve']))
  })

  it('is never what is not there', () => {
    expect(() => recordedAs(LAB_AGENTS.claude, ['older_bash_aprove'])).toThrow(
      'did you mean older_bash_approve',
    )
  })
})

describe('in the middle of a conversation', () => {
  const file = (status: string) =>
    JSON.stringify({ t: 1, source: 'registry', pid: 1, file: { status } })

  it.each([
    ['idle busy idle busy idle busy', 3],
    ['idle busy idle busy idle', 2],
    ['idle', 2],
  ])('of %s is %i changes from its start', (states, at) => {
    const folder = made()
    writeFileSync(join(folder, 'x.jsonl'), states.split(' ').map(file).join('\n'))
    expect(middleOf('x', new URL(`file://${folder}/`))).toBe(at)
  })

  it('is two where it was never recorded', () => {
    expect(middleOf('never', new URL(`file://${made()}/`))).toBe(2)
  })
})

const folders: string[] = []

function made(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-lab-run-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe('the folder of a run', () => {
  const shipped = new URL('../../test/recordings/bash_approve.jsonl', import.meta.url)

  it('is made, keeps recordings, and can be measured again', () => {
    const path = join(made(), 'deep/out')
    const folder = new Folder(path)
    folder.keep('bash_approve', readFileSync(shipped, 'utf8'))
    const results = resultsIn(path)
    expect(results).toMatchObject([{ name: 'bash_approve', client: '2.1.325' }])
    const page = folder.report(results, sumsOf(results), 'One.')
    expect(readFileSync(page, 'utf8')).toContain('<h3>bash_approve</h3>')
    const { about, sum, runs } = JSON.parse(readFileSync(join(path, 'results.json'), 'utf8'))
    expect({ about, runs: sum.runs, run: runs[0].run }).toEqual({
      ...{ about: 'One.', runs: 1, run: 'bash_approve' },
    })
  })

  it('without recordings is said to be so', () => {
    expect(() => resultsIn(made())).toThrow('there is no recording in it')
    expect(() => resultsIn('/nowhere/at/all')).toThrow('/nowhere/at/all: there is no recording')
  })

  it('is named by the time on the wall', () => {
    expect(timeOf(new Date(2026, 10, 16, 2, 31, 5))).toBe('2026-11-16 02:31:05')
  })
})
