import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProgram, searchPath } from '../../src/platform/programs.ts'
import { itUnless } from '../support/needs.ts'
import { programFolder } from '../support/program-folder.ts'
import { noSecondUser, SecondUser } from '../support/second-user.ts'

let top = ''
beforeEach(() => {
  top = programFolder()
})
afterEach(() => rmSync(top, { recursive: true }))

function program(...names: readonly string[]): string {
  const path = join(top, ...names)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o755 })
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
  return path
}

const whyNot = (folder: string, cwd = '/') => searchPath({ PATH: folder }, cwd).leftOut[0]?.why

describe('[PF1] a program is looked for', () => {
  it('in the folders of PATH in their order, and its path is absolute', () => {
    const [first, second] = [program('a', 'tmux'), program('b', 'tmux')]
    const env = { PATH: `${join(top, 'a')}:${join(top, 'b')}:/usr/bin` }
    expect(findProgram('tmux', env)).toBe(first)
    rmSync(first)
    expect(findProgram('tmux', env)).toBe(second)
    expect(findProgram('no-such-program', env)).toBeUndefined()
  })

  it('in no folder of a project', () => {
    const bin = join(top, 'bin')
    program('bin', 'tmux')
    expect(whyNot(bin)).toBeUndefined()
    expect(whyNot(bin, top)).toBe('it is within the current folder')
    program('node_modules', '.bin', 'tmux')
    expect(whyNot(join(top, 'node_modules/.bin'))).toMatch('node_modules')
    symlinkSync(join(top, 'node_modules/.bin'), join(top, 'tools'))
    expect(whyNot(join(top, 'tools'))).toMatch('node_modules')
    execFileSync('git', ['init', '-q', top])
    expect(whyNot(bin)).toBe(`it is within the git repository ${top}`)
  })

  it.each(['bin', './bin', '.', ''])('not in %j, which depends on the current folder', (PATH) => {
    const { folders } = searchPath({ PATH: `${PATH}:/usr/bin` })
    expect(folders).toEqual(['/usr/bin'])
  })

  it('in the folders of the system, wherever the command is typed', () => {
    expect(searchPath({ PATH: '/usr/bin' }, '/usr').folders).toEqual(['/usr/bin'])
    expect(searchPath({}, '/').folders).toContain('/usr/bin')
  })
})

describe('[PF2] a folder in which others can write', () => {
  it('is left out, and so is all below it', () => {
    program('a', 'bin', 'tmux')
    const bin = join(top, 'a/bin')
    expect(whyNot(bin)).toBeUndefined()
    for (const [path, mode] of [
      [bin, 0o777],
      [bin, 0o1777],
      [join(top, 'a'), 0o777],
      [join(top, 'a'), 0o1777],
    ] as const) {
      chmodSync(path, mode)
      expect(whyNot(bin)).toBe(`every user can write in ${path}`)
      chmodSync(path, 0o755)
    }
    expect(whyNot(tmpdir())).toMatch(/^every user can write in/)
  })

  it('is left out when only a link on the way lies there', () => {
    program('bin', 'tmux')
    const open = join(top, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    symlinkSync(join(top, 'bin'), join(open, 'link'))
    symlinkSync(join(open, 'link'), join(top, 'nice'))
    expect(whyNot(join(top, 'nice'))).toBe(`every user can write in ${open}`)
  })

  it('makes a program that lies there no program', () => {
    const path = program('bin', 'tmux')
    chmodSync(path, 0o777)
    expect(findProgram('tmux', { PATH: join(top, 'bin') })).toBeUndefined()
  })

  const title = 'is left out when another user owns it, or its group may write'
  itUnless(noSecondUser)(title, () => {
    const other = new SecondUser()
    try {
      const bin = join(top, 'bin')
      program('bin', 'tmux')
      chownSync(bin, other.uid, other.gid)
      expect(whyNot(bin)).toBe(`${bin} belongs to user ${other.uid}`)
      chownSync(bin, 0, other.gid)
      chmodSync(bin, 0o775)
      expect(whyNot(bin)).toBe(`the group ${other.gid} can write in ${bin}`)
    } finally {
      other.remove()
    }
  })
})
