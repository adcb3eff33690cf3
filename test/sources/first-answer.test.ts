import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TranscriptSource } from '../../src/sources/transcripts.ts'
import { DaemonHome, turn, until as untilSo } from '../support/daemon.ts'
import { after, Collector, folder, LOGGING, until } from './support.ts'

it('[S29] the log of a session is found by its id, also in a folder with a long name', () => {
  const config = join(folder(), '.claude')
  const { sink, complain } = new Collector()
  const options = { sink, complain, cursorOf: () => undefined }
  const source = new TranscriptSource({ ...options, agent: LOGGING, folders: [config] })
  after(() => source.stop())
  const long = 'p'.repeat(200)
  for (const name of ['-work', `${long}-cut`]) {
    mkdirSync(join(config, 'projects', name), { recursive: true })
    for (const session of ['s-1', 's-2'])
      writeFileSync(join(config, 'projects', name, `${session}.jsonl`), '')
  }
  expect(source.logOf('-work', 's-2')).toBe(join(config, 'projects/-work/s-2.jsonl'))
  expect(source.logOf(long, 's-1')).toBe(join(config, `projects/${long}-cut/s-1.jsonl`))
  expect(source.logOf('-work', 's-3')).toBeUndefined()
  expect(source.logOf('-work', '../-work/s-2')).toBeUndefined()
  expect(source.logOf('..', 's-1')).toBeUndefined()
})

it('[S30] is caught up when all that is followed was learnt', async () => {
  const config = join(folder(), '.claude')
  const path = join(config, 'projects/-work/s-1.jsonl')
  mkdirSync(join(config, 'projects/-work'), { recursive: true })
  writeFileSync(path, '{"type":"user"}\n')
  const collector = new Collector()
  const { sink, complain } = collector
  const options = { sink, complain, cursorOf: () => undefined }
  const source = new TranscriptSource({ ...options, agent: LOGGING, folders: [config] })
  after(() => source.stop())
  source.start()
  expect(source.isCaughtUp).toBe(true)
  source.follow(path)
  expect(source.isCaughtUp).toBe(false)
  await until('it is read', () => source.isCaughtUp)
  expect(collector.reports).toHaveLength(1)
})

it('[S30] a daemon has read the hooks that came before it when it answers first', async () => {
  const home = new DaemonHome()
  after(() => home.end())
  for (let n = 0; n < 300; n++) home.write(turn(`own-${n}`, n))
  void home.spawn(['daemon', '--quiet'])
  let first: string[] | undefined
  await untilSo('an answer', async () => (first = await home.states().catch(() => undefined)))
  expect(first).toHaveLength(300)
})
