import { realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codexSetup } from '../../../src/agents/codex/setup/index.ts'
import { CLIENT_PATH, CODEX, clientOf } from '../../clients.ts'
import { startJanitor } from '../../drive/janitor.ts'
import type { Note } from '../../drive/pane.ts'
import type { Place } from '../../drive/place.ts'
import { Stage } from '../../drive/stage.ts'
import { Tmux } from '../../drive/tmux.ts'
import { script } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { CODEX_KEY, type CodexModel, type NoteAnswer, startCodexModel } from '../model/server.ts'
import { codexHome } from './hooks.ts'
import { givePackage, keepPackage } from './package.ts'
import { makeCodexPlace, settleCodex } from './place.ts'

export type CodexStage = Stage<CodexModel>

/** Everything that a conversation with Codex needs. Call `endCodexStage` in any case. */
export async function openCodexStage(
  talk: CodexConversation,
  version: string,
  notes: { readonly note: Note; readonly answer: NoteAnswer },
): Promise<CodexStage> {
  const program = clientOf(version, CODEX)
  if (!program) throw new Error(`Codex ${version} is not installed: npm run clients`)
  const place = makeCodexPlace()
  const tmux = new Tmux(place.root)
  const janitor = startJanitor(place.root, tmux.socket)
  const spoken = talk.model?.(script(talk.name), place) ?? script(talk.name)
  const model = await startCodexModel(spoken, notes.answer)
  const base = {
    HOME: place.home,
    PATH: `${dirname(program)}:${CLIENT_PATH}`,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    LAB_API_KEY: CODEX_KEY,
    VIGIL_HOME: join(place.root, 'vigil'),
  }
  const stage = new Stage(place, model, tmux, janitor, {
    target: { agent: 'codex', setup: codexSetup, homes: [codexHome(place)], version },
    environment: (more) => ({ ...base, ...more }),
    note: notes.note,
  })
  settleCodex(place, talk, model.url)
  if (talk.packaged !== false) givePackage(place, version)
  await tmux.start().catch(async (error) => {
    await stage.end()
    throw error
  })
  return stage
}

export async function endCodexStage(stage: CodexStage): Promise<void> {
  const { place, target } = stage
  keepPackage(place, target.version ?? '')
  const socket = socketOf(place)
  await stage.end()
  if (socket !== undefined) rmSync(socket, { force: true })
}

/** The daemon's socket is in a folder of the machine, not of the home. */
function socketOf(place: Place): string | undefined {
  try {
    return realpathSync(join(codexHome(place), 'app-server-control/app-server-control.sock'))
  } catch {
    return undefined
  }
}
