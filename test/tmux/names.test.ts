import { afterAll, beforeAll, it } from 'vitest'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, allIn, homeFor, isAgain, shows } from './agent.ts'
import { PrivateTmux } from './support.ts'

/** What a window was called before an agent came. */
const NAMES: readonly (readonly [string, (target: string) => void])[] = [
  ['automatic, inherited', (to) => tmux.run(['set', '-wu', '-t', to, 'automatic-rename'])],
  ['automatic, set', (to) => tmux.run(['set', '-w', '-t', to, 'automatic-rename', 'on'])],
  ['given', (to) => tmux.run(['rename-window', '-t', to, 'given'])],
  ['with format', (to) => rename(to, '#{x} #[fg=red] #(date) ##S %H ~ $HOME')],
  ['with quotes', (to) => rename(to, `it's "so" \\ ; {} \\\\ \\t`)],
  ['with emoji', (to) => rename(to, '🚀 é \u202e')],
  ['of 500 characters', (to) => rename(to, 'x'.repeat(500))],
  ['with a tab', (to) => rename(to, 'a\tb\x1b[31m')],
  ['of nothing', (to) => rename(to, '')],
]

let tmux: PrivateTmux
let home: DaemonHome
beforeAll(async () => {
  if (NO_TMUX) return
  tmux = new PrivateTmux()
  tmux.session('work', NAMES.length + 1)
  NAMES.forEach(([, name], i) => {
    name(`work:${i + 1}`)
  })
  home = homeFor(tmux)
  await home.start()
  // tmux gives its automatic names half a second later.
  const isNamed = (target: string) => tmux.windowName(target) === 'sh'
  await until('automatic names', () => ['work:1', 'work:2'].every(isNamed))
}, 60_000)
afterAll(async () => {
  await home?.end()
  await tmux?.end()
})

function rename(target: string, name: string): void {
  tmux.run(['set-option', '-w', '-t', target, '@n', name])
  tmux.run(['rename-window', '-t', target, '--', '#{@n}'])
  tmux.run(['set-option', '-wu', '-t', target, '@n'])
}

describeUnless(NO_TMUX)('a window’s own name', () => {
  it.each(NAMES.map(([what], i) => [what, `work:${i + 1}`]))(
    '[TM17] %s comes back when the agent ends',
    async (_, target) => {
      const before = allIn(tmux, target)
      const isAutomatic = tmux.ask(target, '#{automatic-rename}') === '1'
      const name = isAutomatic ? 'engine' : tmux.windowName(target)
      const agent = new Agent(home, tmux, target).start().readOnly()
      await shows(tmux, target, `🤖${name}`)
      agent.work().work().hook('SessionEnd', { reason: 'exit' })
      await isAgain(tmux, target, before)
    },
  )
})
