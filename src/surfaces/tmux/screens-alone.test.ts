import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { SurfaceContext } from '../../client/surface-context.ts'
import { ScreensAlone } from './screens-alone.ts'

it('[TM32] what is read when the daemon ends begins nothing anew', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-alone-'))
  const session = aSession({ id: 'a', agent: 'claude', pid: 4711 })
  const context = {
    machine: session.machine,
    sessions: () => ({ seq: 0, sessions: [session] }),
    changes: { after: () => [], onChange: () => () => {} },
    onTouched: () => () => {},
    statusFrom: () => undefined,
  } as unknown as SurfaceContext
  let watched = 0
  const watch = () => {
    watched += 1
    return { ensure: () => {}, close: () => {} }
  }
  const env = { TMUX_TMPDIR: folder }
  const alone = new ScreensAlone(context, { env, watch, isWanted: () => true } as never)
  const before = watched
  expect(before).toBeGreaterThan(0)
  alone.close()
  alone.update()
  expect(watched).toBe(before)
  rmSync(folder, { recursive: true })
})
