import { describe, expect, it } from 'vitest'
import { OTHER_MACHINE } from '../../../test/support/machines.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { SETTINGS } from '../../home/settings-schema.ts'
import { farCommand, jumpFar } from './jump-far.ts'

const TEMPLATE = SETTINGS.parse({}).fleet.ssh
const far = aSession({
  id: `${OTHER_MACHINE}/0b9a-1`,
  machine: OTHER_MACHINE,
  own: false,
  host: 'build-7',
  tmuxPane: '%1',
})

function ran(code = 0) {
  const calls: (readonly string[])[] = []
  const run = async (program: string, args: readonly string[]) => {
    calls.push([program.split('/').at(-1) ?? '', ...args])
    return code
  }
  return { calls, run, template: TEMPLATE }
}

describe('a session of another machine', () => {
  it('[FL90] is shown by ssh, by its own id there', async () => {
    const terminal = ran()
    expect(await jumpFar(far, terminal)).toBe(undefined)
    expect(terminal.calls).toEqual([['ssh', '-t', 'build-7', 'vigil', 'jump', '0b9a-1']])
  })

  it('[FL90] is shown by the user’s own words, none of which a shell reads', () => {
    const words = farCommand(far, 'mosh  --port=60001 ada@{host} -- vigil jump {session} ;$(x)')
    expect(words).toEqual([
      ...['mosh', '--port=60001', 'ada@build-7', '--', 'vigil', 'jump', '0b9a-1', ';$(x)'],
    ])
  })

  it.each(['-oProxyCommand=x', '', 'a b', 'a;b', 'a\nb', 'a$(b)', 'a/b', 'ä'])(
    '[FL90] whose machine calls itself %j is not shown',
    async (host) => {
      const terminal = ran()
      expect(await jumpFar({ ...far, host }, terminal)).toContain('is not a host name')
      expect(terminal.calls).toEqual([])
    },
  )

  it.each(['-x', 'a;reboot', '$(x)', 'a b', "a'b"])('[FL90] with the id %j is not', async (id) => {
    const terminal = ran()
    const why = await jumpFar({ ...far, id: `${OTHER_MACHINE}/${id}` }, terminal)
    expect(why).toContain('has a meaning to a shell')
    expect(terminal.calls).toEqual([])
  })

  it('[FL90] names the command where there is no terminal, and where it fails', async () => {
    const none = { run: undefined, template: TEMPLATE }
    expect(await jumpFar(far, none)).toContain('run: ssh -t build-7 vigil jump 0b9a-1')
    expect(await jumpFar(far, ran(255))).toContain('ended with exit code 255')
  })

  it('[FL91] that is closed or in no tmux says so, and where to go', async () => {
    const terminal = ran()
    expect(await jumpFar({ ...far, state: 'closed' }, terminal)).toContain('resume it on build-7')
    expect(await jumpFar({ ...far, tmuxPane: null }, terminal)).toContain('not in tmux')
    expect(terminal.calls).toEqual([])
  })
})
