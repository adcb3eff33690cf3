import { entryTime } from '../read.ts'
import { translatorOf } from '../translator.ts'
import { aboutCodexHook, fromCodexHook } from './hook.ts'
import { codexRoleOf, resumedIn, startsTurn } from './role.ts'
import { aboutRollout, fromRollout } from './rollout.ts'
import { readCodexScreen } from './screen.ts'
import { aboutServer, fromServer, serverTime } from './server.ts'
import { readTitle } from './title.ts'

export const translateCodex = translatorOf({
  id: 'codex',
  recognise: codexRoleOf,
  resumedIn,
  startsTurn,
  readScreen: readCodexScreen,
  readTitle,
  own: {
    hook: { about: aboutCodexHook, read: fromCodexHook },
    transcript: { about: aboutRollout, read: fromRollout, time: entryTime },
    server: { about: aboutServer, read: fromServer, time: serverTime },
  },
})
