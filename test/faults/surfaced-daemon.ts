import { appendFileSync, existsSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttachSurface } from '../../src/client/surface-context.ts'
import { runDaemon } from '../../src/daemon/daemon.ts'
import { foldersOf } from '../../src/home/folders.ts'

// A daemon with a surface that fails in every way there is, and one that does what it should.

const folders = foldersOf()
const note = (what: string) => appendFileSync(join(folders.state, 'noted'), `${what}\n`)

const failing: AttachSurface = ({ changes, take }) => {
  changes.onChange(() => {
    throw new Error('at a change')
  })
  setTimeout(() => {
    throw new Error('in a timer')
  }, 1)
  void Promise.resolve().then(() => {
    throw new Error('in a promise')
  })
  const watcher = watch(folders.state, () => {
    watcher.close()
    throw new Error('in a watch')
  })
  writeFileSync(join(folders.state, 'seen'), '')
  take([], () => {
    throw new Error('when it was saved')
  })
  const close = () => {
    throw new Error('at the end')
  }
  return [{ close }]
}

const whole: AttachSurface = ({ changes, sessions, take }) => {
  changes.onChange(() => {
    const [session] = sessions().sessions.filter(({ id }) => id === 'own-1')
    if (!session) return
    note(`${session.id} ${session.state} ${session.unread ? 'unread' : 'read'}`)
    if (session.unread)
      take([{ report: { t: Date.now(), source: 'keystroke', session: 'own-1', what: 'look' } }])
  })
  return [
    {
      close: () => {
        note(`ended, ${sessions().sessions.length > 0}`)
      },
    },
  ]
}

// What is not a surface's is the daemon's own, and it cannot go on.
if (process.env.OWN_FAULT)
  setInterval(() => {
    if (existsSync(folders.daemonFile)) throw new Error('of its own')
  }, 50)

await runDaemon({ folders, env: process.env, attach: { failing, whole } })
