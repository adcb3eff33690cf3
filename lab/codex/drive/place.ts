import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyPlace, type Place } from '../../drive/place.ts'
import type { CodexConversation } from '../conversation.ts'
import { codexHome, hooksFor, trustOf, writeHooks } from './hooks.ts'

/** A model in code mode; `gpt-5.5` calls its tools directly. */
const MODEL = 'gpt-6.1-sol'

export function makeCodexPlace(): Place {
  const place = emptyPlace()
  mkdirSync(codexHome(place))
  return place
}

/** The user's config.toml and hooks, and the files of the conversation. */
export function settleCodex(place: Place, talk: CodexConversation, modelUrl: string): void {
  const { modelName = MODEL, config = [], tables = () => [] } = talk
  const lines = [
    `model = "${modelName}"`,
    'model_provider = "lab"',
    'check_for_update_on_startup = false',
    ...config,
    '[analytics]\nenabled = false',
    `[model_providers.lab]\nname = "lab"\nbase_url = "${modelUrl}"`,
    'wire_api = "responses"\nenv_key = "LAB_API_KEY"',
    ...(talk.trusted === false ? [] : [trusting(place.project)]),
    ...tables(place),
  ]
  writeFileSync(join(codexHome(place), 'config.toml'), `${lines.join('\n')}\n`)
  writeFileSync(join(place.project, 'hello.txt'), 'hello\n')
  const hooks = hooksFor(place, talk.hooks, talk.hooked !== false)
  if (Object.keys(hooks).length > 0) writeHooks(place, hooks)
  if (talk.hooksTrusted !== false) trust(place, trustOf(place, hooks))
  talk.prepare?.(place)
}

export function trusting(folder: string): string {
  return `[projects."${folder}"]\ntrust_level = "trusted"`
}

function trust(place: Place, marks: string): void {
  appendFileSync(join(codexHome(place), 'config.toml'), marks)
}

/** The recorder's hooks, in a home whose client already runs. */
export function installRecorder(place: Place): void {
  const hooks = hooksFor(place)
  writeHooks(place, hooks)
  trust(place, trustOf(place, hooks))
}
