import { describe, expect, it } from 'vitest'
import { CHECK_MAX_MS } from '../../core/limits.ts'
import { shellWord } from '../../core/shell-word.ts'
import { EVENTS, handlerFor, isMute, knownEvents, neededEvents, wantedEvents } from './events.ts'

/** What each client lists as its hook events, read out of the clients themselves. */
const KNOWN: Readonly<Record<string, string>> = {
  '2.0.50':
    'PreToolUse PostToolUse Notification UserPromptSubmit SessionStart SessionEnd Stop ' +
    'SubagentStart SubagentStop PreCompact PermissionRequest',
  '2.1.100':
    'PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart ' +
    'SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact ' +
    'PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ' +
    'ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged ' +
    'FileChanged',
  '2.1.220':
    'PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit ' +
    'UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop ' +
    'PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated ' +
    'TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove ' +
    'InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay',
}
const NEVER = ['WorktreeCreate', 'WorktreeRemove', 'MessageDisplay', 'FileChanged']
const NOT_NEEDED = [
  ...['Setup', 'InstructionsLoaded', 'UserPromptExpansion', 'DirectoryAdded'],
  ...NEVER,
]

describe('events', () => {
  it.each(Object.entries(KNOWN))(
    '[I1] client %s gets what it knows, and all of it',
    (version, all) => {
      const wanted = all.split(' ').filter((event) => !NOT_NEEDED.includes(event))
      expect(knownEvents(version).toSorted()).toEqual(wanted.toSorted())
    },
  )

  it('[I1] the newest gets every event, none that does more than tell', () => {
    expect(knownEvents('2.1.325')).toEqual(EVENTS)
    for (const event of [...NEVER, 'PreModelSwitch']) expect(EVENTS).not.toContain(event)
  })

  it('[I1] without a version only those that every supported client knows', () => {
    expect(knownEvents()).toEqual(knownEvents('2.0.50'))
    expect(knownEvents()).toHaveLength(11)
  })

  it.each([
    ['PostToolBatch', '2.1.117', '2.1.118'],
    ['PostToolUseFailure', '2.0.55', '2.0.56'],
    ['PostModelSwitch', '2.1.250', '2.1.251'],
    ['StopFailure', '2.1.77', '2.1.78'],
  ] as const)('[I1] %s is not in %s and is in %s', (event, before, from) => {
    expect(knownEvents(before)).not.toContain(event)
    expect(knownEvents(from)).toContain(event)
  })
})

describe('events that are asked for', () => {
  const SHORT = [
    ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PermissionRequest', 'Stop'],
    ...['StopFailure', 'PreCompact', 'PostCompact', 'Elicitation', 'ElicitationResult'],
  ]

  it('[I23] a client that tells its state gets the short set, none for a tool call', () => {
    for (const version of ['2.1.150', '2.1.220', '2.1.325'])
      expect(wantedEvents(version)).toEqual(SHORT)
  })

  it('[I23] an older client, and one not known, get all that they know', () => {
    for (const version of ['2.0.50', '2.1.100', '2.1.149'])
      expect(wantedEvents(version)).toEqual(knownEvents(version))
    expect(wantedEvents(undefined)).toEqual(knownEvents())
  })

  it('[I23] every client gets all that it knows where its user wants that', () => {
    for (const version of ['2.1.100', '2.1.220', '2.1.325'])
      expect(wantedEvents(version, true)).toEqual(knownEvents(version))
  })

  it('[I24] of an unknown client, no more are missed than the short set has', () => {
    expect(neededEvents(undefined)).toEqual(knownEvents().filter((event) => SHORT.includes(event)))
  })
})

describe('handlers', () => {
  it('[I2] only what a client ends right after, or what may answer, is waited for', () => {
    const awaited = EVENTS.filter((event) => handlerFor(event, '/h', '2.1.325').async !== true)
    expect(awaited.toSorted()).toEqual([
      'PermissionRequest',
      'SessionEnd',
      'SessionStart',
      'Stop',
      'StopFailure',
    ])
  })

  it('[I2] a Stop has the time that a check takes', () => {
    const slow = EVENTS.filter((event) => handlerFor(event, '/h').timeout > 5)
    expect(slow).toEqual(['Stop'])
    expect(handlerFor('Stop', '/h').timeout * 1000).toBeGreaterThan(CHECK_MAX_MS + 20_000)
  })

  it('[AN10] a request waits for its user over night', () => {
    const words = ['answer', 'request']
    const handler = handlerFor('PermissionRequest', '/h', '2.1.325')
    expect(handler).toEqual({ type: 'command', command: '/h', args: words, timeout: 86_400 })
  })

  it.each(['2.1.68', undefined])(
    '[AN11] no hook waits in a client (%s) that does not mark subagents',
    (version) => {
      const handler = handlerFor('PermissionRequest', '/h', version)
      expect(handler).toEqual({ type: 'command', command: 'exec /h', async: true, timeout: 5 })
      expect(isMute('PermissionRequest', handler, version)).toBe(false)
      expect(isMute('PermissionRequest', handler, '2.1.69')).toBe(true)
      expect(handlerFor('PermissionRequest', '/h', '2.1.69').command).toBe('exec /h answer request')
    },
  )

  it.each([
    ['Stop', ['answer']],
    ['SessionStart', ['answer', 'compact']],
  ] as const)('[I3] %s may answer', (event, args) => {
    expect(handlerFor(event, '/h', '2.1.325')).toMatchObject({ command: '/h', args })
    expect(handlerFor(event, '/a b')).toMatchObject({ command: `exec '/a b' ${args.join(' ')}` })
    expect(handlerFor(event, '/h')).not.toHaveProperty('args')
  })

  it('[I3] no other may', () => {
    const may = ['Stop', 'SessionStart', 'PermissionRequest']
    for (const event of EVENTS.filter((other) => !may.includes(other))) {
      expect(handlerFor(event, '/h', '2.1.325').args).toEqual([])
      expect(handlerFor(event, '/h').command).toBe('exec /h')
    }
  })

  it.each([
    ['2.1.139', '/home/ada/vigil-hook', '/home/ada/vigil-hook', []],
    ['2.1.138', '/home/ada/vigil-hook', 'exec /home/ada/vigil-hook', undefined],
    [undefined, '/home/ada/vigil-hook', 'exec /home/ada/vigil-hook', undefined],
    ['2.1.139', "/it's a/vigil-hook", "/it's a/vigil-hook", []],
    ['2.1.138', "/it's a/vigil-hook", `exec '/it'\\''s a/vigil-hook'`, undefined],
    [undefined, "/it's a/vigil-hook", `exec '/it'\\''s a/vigil-hook'`, undefined],
  ])('[I3] a shell (%s) leaves its place to %s', (version, hook, command, args) => {
    const handler = handlerFor('PreToolUse', hook, version)
    expect({ command: handler.command, args: handler.args }).toEqual({ command, args })
  })

  it.each(['/a b', '/a$b', '/a;b', '/~', '/a*', '/ä', '/a\nb', ''])('quotes %j', (path) => {
    expect(shellWord(path)).toBe(`'${path}'`)
  })
})
