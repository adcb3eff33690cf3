import { describe, expect, it } from 'vitest'
import { shownPath } from './shown-path.ts'

const BASES = { folder: '/home/me/payments', home: '/home/me' }

describe('[SH14] a path is shown', () => {
  it('from the folder, with that folder behind it', () => {
    expect(shownPath('/home/me/payments/src/app.ts', BASES)).toEqual({
      text: 'src/app.ts',
      within: '~/payments',
    })
    expect(shownPath('/srv/x/a', { folder: '/srv/x', home: '/home/me' })).toEqual({
      text: 'a',
      within: '/srv/x',
    })
  })

  it.each([
    ['below the home folder, by ~', '/home/me/.bashrc', '~/.bashrc'],
    ['elsewhere', '/etc/passwd', '/etc/passwd'],
    ['a neighbour with the same beginning', '/home/me/payments-old/a', '~/payments-old/a'],
    ['another home with the same beginning', '/home/mel/a', '/home/mel/a'],
    ['the folder itself', '/home/me/payments', '~/payments'],
    ['that leads out', '/home/me/payments/../.ssh/id', '/home/me/payments/../.ssh/id'],
    ['that leads out at its end', '/home/me/payments/..', '/home/me/payments/..'],
    ['with a part that says nothing', '/home/me/payments/./a', '/home/me/payments/./a'],
    ['with an empty part', '/home/me/payments//etc/passwd', '/home/me/payments//etc/passwd'],
    ['with a blank', '/home/me/payments/a  in ~/b', '/home/me/payments/a  in ~/b'],
    ['with a line end', '/home/me/payments/a\nb', '/home/me/payments/a\nb'],
    ['relative already', '../x', '../x'],
    ['of nothing', '', ''],
  ])('%s', (_, path, text) => {
    expect(shownPath(path, BASES)).toEqual({ text, within: null })
  })

  it('never so that a folder called ~ is taken for the home folder', () => {
    expect(shownPath('/home/me/payments/~/a', BASES).text).toBe('~/payments/~/a')
    expect(shownPath('/srv/x/~/a', { folder: '/srv/x', home: '/home/me' }).text).toBe('/srv/x/~/a')
  })

  it('as it is where no folder is known, or the folder is none to begin in', () => {
    expect(shownPath('/a/b', {})).toEqual({ text: '/a/b', within: null })
    for (const folder of ['/', '', 'a', '/a/../b', '/a b'])
      expect(shownPath(`${folder}/c`, { folder, home: null }).within, folder).toBe(null)
  })
})
