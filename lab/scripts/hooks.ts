import type { Conversation, Settings } from '../conversation.ts'
import { say } from '../model/script.ts'
import { ALLOW_BASH, TOUCH } from './common.ts'

/** Another tool's hook, beside the recorder's. */
function hookOf(event: string, command: string): Settings {
  return { hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } }
}

/** A hook that answers; `after` runs before it. */
function answering(event: string, after: string, answer: object): Settings {
  const output = { hookSpecificOutput: { hookEventName: event, ...answer } }
  return hookOf(event, `${after}; echo '${JSON.stringify(output)}'`)
}

/** The client accepts this many blocks in a row; it overrides the next. */
const BLOCKS_MAX = 8

export const hooks: readonly Conversation[] = [
  {
    name: 'stop_block',
    shows: "Another tool's hook blocks the Stop once: the turn goes on after it.",
    settings: ({ root }) =>
      hookOf('Stop', `[ -e ${root}/blocked ] || { touch ${root}/blocked; echo more >&2; exit 2; }`),
    model: (talk) => talk.on('hello', say('Hello.')).next(say('And more.', { overMs: 2_000 })),
    async user(run) {
      const claude = await run.begin('hello')
      await claude.sees(/And more\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'stop_cap',
    shows: "Another tool's hook blocks every Stop; the ninth time the turn ends all the same.",
    settings: () => hookOf('Stop', 'echo more >&2; exit 2'),
    model: (talk) =>
      Array.from({ length: BLOCKS_MAX }).reduce(
        (script: typeof talk) => script.next(say('And more.', { overMs: 600 })),
        talk.on('hello', say('Hello.')),
      ),
    async user(run) {
      const claude = await run.begin('hello')
      await claude.becomes('working')
      await claude.becomes('idle')
    },
  },
  {
    name: 'pretool_deny',
    shows: "Another tool's hook denies a tool: no dialog opens, the turn goes on.",
    settings: () =>
      answering('PreToolUse', 'sleep 1', {
        permissionDecision: 'deny',
        permissionDecisionReason: 'Not here.',
      }),
    model: (talk) =>
      talk.on('touch', say('Running.'), TOUCH).next(say('It was denied.', { overMs: 1_500 })),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.sees(/It was denied\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'prompt_block',
    shows:
      "Another tool's hook blocks a prompt: no turn begins, and no Stop comes; the next passes.",
    settings: () => hookOf('UserPromptSubmit', 'if grep -q secret; then sleep 1; exit 2; fi'),
    model: (talk) => talk.on('hello', say('Hello.')),
    async user(run) {
      const claude = await run.begin('tell the secret')
      await claude.becomes('working')
      await claude.becomes('idle')
      await run.stay(2_500)
      // The client puts the prompt back into the input line.
      await claude.press('C-u')
      await claude.sees(/^❯\s*$/m)
      await claude.submit('hello')
      await claude.becomes('working')
      await claude.becomes('idle')
    },
  },
  {
    name: 'slow_hook',
    shows: "Another tool's hook takes three seconds before the tool may run.",
    args: ALLOW_BASH,
    settings: () => hookOf('PreToolUse', 'sleep 3'),
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.sees(/All done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'perm_by_hook',
    shows: "Another tool's hook allows a tool two seconds after its dialog has opened.",
    settings: () => answering('PermissionRequest', 'sleep 2', { decision: { behavior: 'allow' } }),
    model: (talk) => talk.on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.begin('touch it')
      await claude.becomes('waiting')
      await claude.sees(/All done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'session_start_fails',
    shows: "Another tool's hook fails at the start of the session; everything goes on.",
    settings: () => hookOf('SessionStart', 'echo broken >&2; exit 1'),
    model: (talk) => talk.on('hello', say('Hello.', { overMs: 1_000 })),
    async user(run) {
      const claude = await run.claude()
      await run.stay()
      await claude.submit('hello')
      await claude.becomes('working')
      await claude.becomes('idle')
    },
  },
]
