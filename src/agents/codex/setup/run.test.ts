import { expect, it } from 'vitest'
import { parseToml } from '../../../edit/toml.ts'
import { shellPartOf } from '../../hook-script.ts'
import type { RunContext } from '../../setup.ts'
import { HOOKED_EVENTS, trustedText } from '../events.ts'
import { CODEX_SCRIPT } from '../hook-script.ts'
import { codexSetup as setup } from './index.ts'
import { runCodex } from './run.ts'

const own = { hook: '/v/my hooks/vigil-hook-codex', earlier: [], scripts: '/v', copies: '/v' }
const sha256 = (text: string) => `hash of ${text.length}`
const place: RunContext = {
  ...{ home: '/h', version: undefined, own, sha256, cwd: '/p', env: {}, file: '/f' },
  read: () => undefined,
}

it.each([[['--no-daemon', 'go']], [['exec', '--json', 'go']], [['-m', 'x', 'e', 'go']]])(
  '[CX27] %j holds its session itself: the hooks and their trust are its argument',
  (given) => {
    const { args, lacks } = runCodex(given, place)
    expect(lacks).toBeUndefined()
    expect(args.slice(2)).toEqual(given)
    expect(args[0]).toBe('-c')
    const text = args[1] ?? ''
    expect(parseToml(text, '')).toMatchObject([{ path: ['hooks'] }])
    for (const event of HOOKED_EVENTS) expect(text).toContain(`${event}=[{hooks=[{type="command"`)
    expect(text).toContain(`command="exec '/v/my hooks/vigil-hook-codex' answer",timeout=630}]}]`)
    const mark = sha256(trustedText('Stop', own.hook))
    expect(text).toContain(
      `"/<session-flags>/config.toml:stop:0:0"={trusted_hash="sha256:${mark}"}`,
    )
  },
)

it.each([[[]], [['resume', '--last']], [['fix exec']]])(
  '[CX27] %j is the daemon’s: it gets no hooks, and says so',
  (given) => {
    expect(runCodex(given, place)).toEqual({
      args: given,
      lacks: expect.stringContaining('no hooks'),
    })
  },
)

it('[CX27] nothing is added where the hooks are installed, or where no session begins', () => {
  const wish = { ...place, real: '/h', memory: undefined, asked: {} }
  const { texts } = setup.plan({}, {}, wish)
  const read = (path: string) => texts[path.slice('/h/'.length)]
  expect(runCodex(['--no-daemon'], { ...place, read })).toEqual({ args: ['--no-daemon'] })
  expect(runCodex(['mcp', 'list'], place)).toEqual({ args: ['mcp', 'list'] })
})

it('[CX23] the hook prints only what makes the agent go on, with exit code 0', () => {
  const part = shellPartOf({ id: 'codex', script: CODEX_SCRIPT })
  const allowed = /is_answer\(\) \{\n[\s\S]*?esac/.exec(part)?.[0] ?? ''
  expect(allowed.match(/^ {4}'.*$/gm)).toEqual([`    '0 {"decision":"block","reason":"'*'"}') ;;`])
})
