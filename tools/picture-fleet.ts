/** The fleet of the pictures: three demos, joined by a real nats-server; one of them has ended. */
import { copyFileSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStage, type Stage } from '../src/app/stage.ts'
import { freePort } from '../test/support/nats.ts'
import { programFolder } from '../test/support/program-folder.ts'
import { fetchNatsServer } from './fleet/servers.ts'

/** Which agents of the story run where. The first machine begins the fleet. */
const MACHINES = {
  desk: ['payments', 'website', 'docs', 'compiler'],
  laptop: ['api', 'mobile-api', 'game'],
  cloud: ['infra', 'data', 'crawler'],
}
/** The age that the picture shows. */
const GONE_MS = 12_000

export async function openFleet(): Promise<Stage> {
  const programs = programFolder()
  copyFileSync(await fetchNatsServer('2.15.1'), join(programs, 'nats-server'))
  process.env.PATH = [programs, process.env.PATH].join(delimiter)
  const [desk, laptop, cloud] = [await open('desk'), await open('laptop'), await open('cloud')]
  await called('desk', async () => {
    const listen = `127.0.0.1:${await freePort()}`
    const names = ['127.0.0.1']
    await desk.client.serveFleet({ listen, tls: true, names, allowOldServer: false })
  })
  for (const [name, { client }] of Object.entries({ laptop, cloud })) {
    const { line } = await desk.client.inviteToFleet({ lookOnly: false, expiresMs: 60_000 })
    const join = { line, servers: [], creds: null, ca: null, allowOldServer: false }
    await called(name, () => client.joinFleet(join))
  }
  const count = Object.values(MACHINES).flat().length
  while ((await desk.client.sessions()).sessions.length < count) await sleep(100)
  await cloud.close()
  await sleep(GONE_MS)
  const close = async () => {
    await laptop.close()
    await desk.close()
    rmSync(programs, { recursive: true })
  }
  return { ...desk, close }
}

function open(name: keyof typeof MACHINES): Promise<Stage> {
  return called(name, () =>
    openStage({ speed: 1, hasPast: false, host: name, projects: MACHINES[name] }),
  )
}

/** All machines are this one: each asks for its host's name while it opens or joins. */
async function called<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { hostname } = os
  rename(() => name)
  const result = await work()
  rename(hostname)
  return result
}

function rename(hostname: () => string): void {
  Object.assign(os, { hostname })
  syncBuiltinESMExports()
}
