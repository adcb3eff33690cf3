import type { Session } from '../../src/protocol/session.ts'
import { OWN_MACHINE } from './machines.ts'

/** A session of which nothing is known but what is given. */
export function aSession(over: Partial<Session> & Pick<Session, 'id'>): Session {
  const name = over.title ?? over.project ?? over.id.slice(0, 8)
  return { ...NO_TOKEN, name, lineage: over.id, ...over }
}

const NO_TOKEN: Omit<Session, 'id' | 'name' | 'lineage'> = {
  agent: 'claude',
  machine: OWN_MACHINE,
  own: true,
  stale: null,
  host: 'here',
  state: 'idle',
  for: null,
  after: null,
  cause: null,
  how: null,
  since: 1_000,
  rule: 'T3',
  reason: 'the test says so',
  unread: false,
  typing: false,
  doing: null,
  usualMs: null,
  request: null,
  cwd: null,
  project: null,
  branch: null,
  title: null,
  prompt: null,
  reply: null,
  pid: null,
  tmuxPane: null,
  tmuxSocket: null,
  tty: null,
  terminal: null,
  transcript: null,
  model: null,
  mode: null,
  version: null,
  contextUsedPercent: null,
  costUsd: null,
  todosDone: null,
  todosTotal: null,
  limits: null,
  tasks: [],
  loop: null,
  detached: false,
  attach: null,
  asks: [],
  parent: null,
  live: true,
}
