import { describe, expect, it } from 'vitest'
import { folderName, projectOf } from './folder.ts'

describe('the name of a folder', () => {
  it('is its path with everything but letters and digits made a dash', () => {
    expect(folderName('/home/ada/my_engine.v2')).toBe('-home-ada-my-engine-v2')
    expect(folderName(undefined)).toBeUndefined()
  })

  it('counts code units, as the client does', () => {
    expect(folderName('/é😀')).toBe('----')
  })

  it('is the folder that holds the transcripts', () => {
    const name = '-home-ada-engine'
    expect(projectOf(`/home/ada/.claude/projects/${name}/s.jsonl`)).toBe(name)
    expect(projectOf(`/home/ada/.claude/projects/${name}/s/subagents/agent-a1.jsonl`)).toBe(name)
    expect(projectOf(`/projects/x/.claude/projects/${name}/s.jsonl`)).toBe(name)
  })

  it('is equal from both sides, however long the path', () => {
    const cwd = `/home/ada/${'deep/'.repeat(60)}`
    const held = `${cwd.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200)}-1a2b3c`
    expect(projectOf(`/c/projects/${held}/s.jsonl`)).toBe(folderName(cwd))
  })

  it('is none for a path that lies in no such folder', () => {
    // Two sessions whose folder is unknown are not in one folder.
    for (const path of [undefined, '', '/tmp/s.jsonl', 's.jsonl', '/c/projects'])
      expect(projectOf(path)).toBeUndefined()
  })
})
