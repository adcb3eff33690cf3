import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openStage } from '../../lab/drive/stage.ts'
import { hold, pause, say, script } from '../../lab/model/script.ts'
import { LoopStage } from '../loop/on-stage.ts'
import { CODE_CACHE } from '../support/code-cache.ts'

const talk = script('panes of older clients')
  .on('of two lines', say('I have read both.'))
  .on('think it over', pause(200), say('Let me see'), hold(), say('never said'))

describe('older clients', () => {
  let stage: LoopStage | undefined
  afterEach(() => stage?.end())

  it.each(['2.0.50', '2.1.100', '2.1.220'])(
    '[PA13][PA14] %s gets a prompt, and is interrupted',
    async (client) => {
      const env = ({ root }: { root: string }) => ({
        VIGIL_HOME: join(root, 'vigil'),
        ...CODE_CACHE,
      })
      const opened = new LoopStage(await openStage(talk, { client, env }))
      stage = opened
      await opened.vigil.run(['install'])
      await opened.vigil.status()
      const { client: pane, session } = await opened.claude()
      await opened.vigil.run(['typing', session, 'on'])
      await opened.vigil.run(['say', session, 'a prompt\nof two lines'])
      await pane.pane.sees(/I have read both\./)
      await opened.vigil.says({ pid: pane.pane.pid }, { state: 'idle' })
      await opened.vigil.run(['say', session, 'think it over'])
      await pane.pane.sees(/Let me see/)
      await opened.vigil.says({ pid: pane.pane.pid }, { state: 'working' })
      const { stdout } = await opened.vigil.run(['interrupt', session])
      expect(stdout).toContain('interrupted')
    },
  )
})
