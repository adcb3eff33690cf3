import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../src/app/commands.ts'
import { describeCommands } from '../../src/surfaces/cli/completion-words.ts'
import { manPage } from '../../tools/man-page.ts'
import { itUnless } from '../support/needs.ts'

const roff = (text: string) => text.replaceAll('-', '\\-')

it('[I20] the manual has every command, those within it and every option', async () => {
  const page = await manPage('1.2.3')
  expect(page).toContain('.TH VIGIL 1 "" "vigil 1.2.3"')
  const described = await describeCommands(COMMANDS)
  for (const { name, commands, options } of described) {
    expect(page).toContain(`\n.B ${roff(`vigil ${name}`)}\n`)
    for (const within of commands)
      expect(page).toContain(`.B ${roff(`vigil ${name} ${within.name}`)}`)
    for (const { flags } of options)
      if (!flags.includes('--help')) expect(page).toContain(`\\fB${roff(flags.at(-1) ?? '')}\\fR`)
  }
  expect(page).toMatch(/^[\n\x20-\x7e]*$/)
})

const missing = spawnSync('groff', ['--version']).error ? 'groff is not installed' : undefined
itUnless(missing)('[I20] groff has nothing against the manual', async () => {
  const args = ['-man', '-Tutf8', '-ww', '-z']
  const { stderr } = spawnSync('groff', args, { input: await manPage('1.2.3'), encoding: 'utf8' })
  expect(stderr).toBe('')
})
