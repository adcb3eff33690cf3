import { translatorOf } from '../translator.ts'
import { aboutHook, fromHook } from './hook.ts'
import { resumedIn, roleOf } from './role.ts'
import { aboutRollout, fromRollout, rolloutTime } from './rollout.ts'
import { readScreen } from './screen.ts'
import { aboutServer, fromServer, serverTime } from './server.ts'
import { readTitle } from './title.ts'

export const translateCodex = translatorOf({
  id: 'codex',
  recognise: roleOf,
  resumedIn,
  readScreen,
  readTitle,
  own: {
    hook: { about: aboutHook, read: fromHook },
    transcript: { about: aboutRollout, read: fromRollout, time: rolloutTime },
    server: { about: aboutServer, read: fromServer, time: serverTime },
  },
})
