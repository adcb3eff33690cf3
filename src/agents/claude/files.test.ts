import { describe, expect, it } from 'vitest'
import {
  configFolderOf,
  holdsSubagents,
  isListing,
  isTranscript,
  projectsFolder,
  registryFields,
  registryFileName,
  registryFolder,
  registryPid,
  sessionFolder,
} from './files.ts'

const projects = projectsFolder(configFolderOf({}, '/home/ada'))

describe('registry files', () => {
  it('lie in the config folder, one a process', () => {
    const config = configFolderOf({ CLAUDE_CONFIG_DIR: '/c/' }, '/home/ada')
    expect(registryFolder(config)).toBe('/c/sessions')
    expect(registryFileName(7)).toBe('7.json')
    for (const CLAUDE_CONFIG_DIR of [undefined, '', 'relative'])
      expect(configFolderOf({ CLAUDE_CONFIG_DIR }, '/home/ada')).toBe('/home/ada/.claude')
    expect(registryPid('4711.json')).toBe(4711)
  })

  it('[S9] a key, a copy or a name of another kind is no registry file', () => {
    for (const name of ['4711.0f.key', '4711.json.tmp', '0.json', 'x.json', '-1.json', '4711'])
      expect(registryPid(name)).toBeUndefined()
  })

  it('[S9] only known fields with plain values are kept', () => {
    const file = {
      pid: 7,
      sessionId: 's',
      status: 'busy',
      messagingSocketPath: '/run/7.sock',
      bridgeSessionId: 'b',
      name: { toString: 'x' },
      waitingFor: ['x'],
    }
    expect(registryFields(file)).toEqual({ pid: 7, sessionId: 's', status: 'busy' })
    for (const other of [null, 5, 'x', [1]]) expect(registryFields(other)).toEqual({})
  })
})

describe('transcripts', () => {
  const session = `${projects}/-home-ada/0f-1`

  it('are the main agent’s and its subagents’', () => {
    expect(projects).toBe('/home/ada/.claude/projects')
    for (const path of [
      `${session}.jsonl`,
      `${session}/subagents/agent-a1.jsonl`,
      `${session}/subagents/workflows/wf_1/agent-a1.jsonl`,
    ]) {
      expect(isTranscript(projects, path)).toBe(true)
      expect(sessionFolder(projects, path)).toBe(session)
    }
  })

  it('are nothing else that lies there', () => {
    for (const path of [
      `${session}.json`,
      `${session}/subagents/agent-a1.meta.json`,
      `${session}/subagents/workflows/wf_1/journal.jsonl`,
      `${session}/tool-results/agent-x.jsonl`,
      `${projects}/loose.jsonl`,
      '/elsewhere/-home-ada/0f-1.jsonl',
    ])
      expect(isTranscript(projects, path)).toBe(false)
    expect(sessionFolder(projects, '/elsewhere/x/0f-1.jsonl')).toBeUndefined()
  })

  it('of subagents are looked for in their folders only', () => {
    const folders = ['', '/subagents', '/subagents/workflows', '/subagents/workflows/wf_1']
    for (const folder of folders) expect(holdsSubagents(projects, session + folder)).toBe(true)
    for (const folder of ['/tool-results', '/subagents/x', '/subagents/workflows/wf_1/x'])
      expect(holdsSubagents(projects, session + folder)).toBe(false)
  })

  it('[S20] listings are recognised by their type', () => {
    const listings = ['attachment', 'file-history-snapshot', 'file-history-delta', 'api-request']
    for (const type of [...listings, 'skill-listing', 'tools-used', 'atis-latch'])
      expect(isListing({ type })).toBe(true)
    for (const type of ['user', 'assistant', 'system', 'queue-operation', 'attachments', 5])
      expect(isListing({ type })).toBe(false)
    expect(isListing(null)).toBe(false)
  })
})
