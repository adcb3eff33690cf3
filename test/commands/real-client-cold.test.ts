import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { fail, say, script, tool } from '../../lab/model/script.ts'
import { until } from '../../lab/until.ts'
import { connect } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { Vigil } from '../e2e/vigil.ts'
import { CODE_CACHE } from '../support/code-cache.ts'

const talk = script('cold')
  .on('asks', tool('Bash', { command: 'touch asked' }))
  .on('fails', fail(400))
  .on('works', tool('Bash', { command: 'touch begun && until [ -e go ]; do sleep 0.1; done' }))
  .next(say('Done.'))
const DIALOG = /Do you want to proceed\?/

describe('a daemon that knows nothing yet, and three clients in one folder without hooks', () => {
  let stage: Stage
  let vigil: Vigil
  const pids = new Map<string, number>()

  beforeAll(async () => {
    stage = await openStage(talk, {
      env: ({ root }) => ({ VIGIL_HOME: join(root, 'vigil'), ...CODE_CACHE }),
    })
    vigil = new Vigil(stage)
    for (const what of ['asks', 'fails', 'works']) {
      const client = await stage.claude()
      pids.set(what, client.pane.pid)
      await client.submit(`it ${what}`)
      await client.pane.sees(what === 'fails' ? /API Error/ : DIALOG)
      if (what === 'works') await client.answer(DIALOG, 'Enter')
    }
    await until('the tool runs', () => existsSync(join(stage.place.project, 'begun')))
  })
  afterAll(async () => {
    await vigil?.run(['stop']).catch(() => {})
    await stage?.end()
  })

  it('[S29][S30] its first answer is right, with what is asked', async () => {
    const daemon = connect(foldersOf({ VIGIL_HOME: join(stage.place.root, 'vigil') }))
    const started = vigil.run(['status', '--json'])
    const { sessions } = await until('an answer', async () => {
      await sleep(2)
      return daemon.sessions().catch(() => undefined)
    })
    await started
    const shown = (what: string) => sessions.find(({ pid }) => pid === pids.get(what))
    expect(shown('asks')).toMatchObject({ state: 'waiting', for: 'permission' })
    expect(shown('asks')?.request).toMatchObject({ tool: 'Bash', text: 'touch asked' })
    expect(shown('fails')).toMatchObject({ state: 'error' })
    expect(shown('works')).toMatchObject({ state: 'working', doing: { tool: 'Bash' } })
  })
})
