import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { UNNAMED_AGENT } from '../../src/agents/index.ts'
import { FolderWatch } from '../../src/sources/folder-watch.ts'
import { TranscriptSource } from '../../src/sources/transcripts.ts'
import { DaemonHome } from '../support/daemon.ts'
import { after, Collector, folder, LOGGING, until } from './support.ts'

const homes: DaemonHome[] = []
afterEach(async () => {
  for (const home of homes.splice(0)) await home.end()
})

it('[LI1] a line in a folder that is not watched is found if its session is followed', async () => {
  const config = folder()
  const projects = join(config, 'projects')
  for (const [age, name] of ['new', 'newer', 'newest', 'old'].entries()) {
    mkdirSync(join(projects, name), { recursive: true })
    const at = name === 'old' ? 1_000 : 1_000_000 + age
    utimesSync(join(projects, name), at, at)
  }
  const collector = new Collector()
  const { sink, complain } = collector
  const options = { sink, complain, cursorOf: () => undefined, backstopMs: 600_000 }
  const source = new TranscriptSource({
    ...options,
    agent: LOGGING,
    projectsMax: 3,
    folders: [config],
  })
  after(() => source.stop())
  source.start()
  const path = join(projects, 'old', 's.jsonl')
  appendFileSync(path, '')
  expect(source.follow(path)).toBe(true)
  await sleep(50)
  appendFileSync(path, '{"type":"user","sessionId":"s"}\n')
  await until('the line', () => collector.reports.length === 1)
  expect(source.watches).toBe(3)
})

it('[LI2] a folder that is not there costs no new watch at each look', async () => {
  const missing = join(folder(), 'a', 'b', 'c')
  const listened = { onName: () => {}, onList: () => {}, complain: () => {} }
  const watch = new FolderWatch(missing, listened)
  after(() => watch.close())
  watch.ensure()
  const before = inotify()
  for (let i = 0; i < 20; i++) watch.ensure()
  expect(before).toMatch(/^inotify wd:/m)
  expect(inotify()).toBe(before)
  mkdirSync(missing, { recursive: true })
  await until('it is watched', () => inotify() !== before)
})

it('[LI2] reports name any number of config folders, and a hundred are watched', async () => {
  const home = new DaemonHome()
  homes.push(home)
  await home.start()
  const name = (n: number) => join(home.path, `config-${n}`)
  for (let n = 0; n < 130; n++) {
    mkdirSync(name(n))
    const transcript_path = join(name(n), 'projects/-srv', `s-${n}.jsonl`)
    home.write({ session_id: `s-${n}`, hook_event_name: 'Stop', transcript_path })
  }
  await home.taken()
  const own = async () =>
    (await home.client.sessions()).sessions.filter(({ id }) => id.startsWith('s-'))
  await until('all are learnt', async () => (await own()).length === 130)
  const { agents } = await home.client.health()
  const watched = agents[UNNAMED_AGENT]?.homes
  expect(Object.values(agents).flatMap(({ homes }) => homes)).toHaveLength(100)
  expect(watched).toContain(join(home.env.HOME ?? '', '.claude'))
  expect(watched).toContain(name(129))
  expect(home.query('SELECT path FROM folders')).toHaveLength(100)
})

/** What this process watches, as the system lists it; a new watch has a new number. */
function inotify(): string {
  return readdirSync('/proc/self/fdinfo')
    .map((fd) => {
      try {
        return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
      } catch {
        return ''
      }
    })
    .flatMap((text) => text.split('\n').filter((line) => line.startsWith('inotify')))
    .join('\n')
}
