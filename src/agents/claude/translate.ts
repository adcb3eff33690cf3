import { entryTime } from '../read.ts'
import { translatorOf } from '../translator.ts'
import { folderName } from './folder.ts'
import { aboutHook, fromHook } from './hook.ts'
import { aboutRegistry, fromRegistry, registryTime } from './registry.ts'
import { roleOf } from './role.ts'
import { readScreen } from './screen.ts'
import { aboutStatusline, fromStatusline } from './statusline.ts'
import { aboutTranscript, fromTranscript } from './transcript.ts'

export const translateClaude = translatorOf({
  id: 'claude',
  recognise: roleOf,
  folderOf: folderName,
  readScreen,
  own: {
    hook: { about: aboutHook, read: fromHook },
    transcript: { about: aboutTranscript, read: fromTranscript, time: entryTime },
    registry: { about: aboutRegistry, read: fromRegistry, time: registryTime },
    statusline: { about: aboutStatusline, read: fromStatusline },
  },
})
