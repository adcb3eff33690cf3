import { say } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { APPROVAL, TOUCH } from './common.ts'

const decided = (decision: object) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })
const prints = (text: string, afterS: number) => `cat >/dev/null; sleep ${afterS}; echo '${text}'`

/** Hooks of other programs, which answer, refuse, or keep the client going. */
export const hooks: readonly CodexConversation[] = [
  {
    name: 'hook_allow',
    shows: 'A hook allows a command after three seconds, so no dialog is drawn.',
    hooks: { PermissionRequest: { script: prints(decided({ behavior: 'allow' }), 3) } },
    model: (talk) => talk.on('touch', TOUCH).next(say('All done.')),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'hook_deny',
    shows: 'A hook refuses a command after two seconds, and the turn goes on.',
    hooks: {
      PermissionRequest: { script: prints(decided({ behavior: 'deny', message: 'not today' }), 2) },
    },
    model: (talk) => talk.on('touch', TOUCH).next(say('Then not.', { overMs: 1_500 })),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'hook_ask',
    shows: 'A hook takes three seconds and decides nothing; then the dialog is drawn.',
    hooks: { PermissionRequest: { script: 'cat >/dev/null; sleep 3' } },
    model: (talk) => talk.on('touch', TOUCH).next(say('All done.')),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'hook_timeout',
    shows: 'A hook takes longer than it may; then the dialog is drawn.',
    hooks: { PermissionRequest: { script: 'cat >/dev/null; exec sleep 9', timeoutS: 3 } },
    model: (talk) => talk.on('touch', TOUCH).next(say('All done.')),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('waiting')
      await codex.replyTo(APPROVAL, 'Enter')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'pretool_deny',
    shows: 'A hook refuses a command before it asks, and the turn goes on.',
    hooks: {
      PreToolUse: {
        script: prints(
          JSON.stringify({
            hookSpecificOutput: {
              ...{ hookEventName: 'PreToolUse', permissionDecision: 'deny' },
              permissionDecisionReason: 'no tools now',
            },
          }),
          1,
        ),
      },
    },
    model: (talk) => talk.on('touch', TOUCH).next(say('Then not.', { overMs: 1_500 })),
    async user(run) {
      const codex = await run.begin('touch it')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'stop_block',
    shows: 'A hook at the end of a turn makes the client go on once.',
    hooks: {
      Stop: {
        script: `i=$(cat); case "$i" in *'"stop_hook_active":true'*) ;; *) sleep 1;
echo '${JSON.stringify({ decision: 'block', reason: 'go on a little' })}';; esac`,
      },
    },
    model: (talk) =>
      talk
        .on('hello', say('Hello there.', { overMs: 1_500 }))
        .on('go on', say('Once more.', { overMs: 1_500 })),
    async user(run) {
      const codex = await run.begin('hello you')
      await codex.sees(/Once more/)
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
