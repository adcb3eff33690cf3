import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { GROUPS } from './attacks/groups.ts'
import { fileOf, filesOf } from './support/files.ts'
import { rulesOfSections, specIds } from './support/spec.ts'

const { text } = fileOf('SECURITY.md')
const tests = filesOf('{src,test}/**/*.test.ts').map((file) => file.text)

it('every test that SECURITY.md names is there, by its title', () => {
  const named = [...text.matchAll(/`(\[[A-Z]{1,2}\d+\][^`]*)`/g)].map((match) => match[1] ?? '')
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((title) => !tests.some((test) => test.includes(title)))).toEqual([])
})

it('every promise of SECURITY.md names a test', () => {
  const promised = text
    .split(/^vigil does not promise/m)
    .flatMap((part) => part.split(/^vigil promises:$/m).slice(1))
    .flatMap((part) => part.split('\n').filter((line) => line.startsWith('- ')))
  expect(promised.length).toBeGreaterThan(30)
  expect(promised.filter((line) => !/`\[[A-Z]{1,2}\d+\]/.test(line))).toEqual([])
})

it('every page that SECURITY.md links to is there', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '')
  const at = (link: string) => fileURLToPath(new URL(`../${link}`, import.meta.url))
  expect(links.filter((link) => !existsSync(at(link)))).toEqual([])
})

it('attacks are counted for every rule against attackers, in one group each', () => {
  const counted = GROUPS.flatMap(({ rules }) => rules)
  expect(counted.filter((rule, at) => counted.indexOf(rule) !== at)).toEqual([])
  expect(counted.filter((rule) => !specIds.includes(rule))).toEqual([])
  const rules = rulesOfSections(32, 40)
  expect(rules.length).toBeGreaterThan(60)
  // What a unit, the doctor and the sign-in log say stops no attacker, nor does a small heap.
  const others = ['OC9', 'PF4', 'PF9', 'PF10', 'LI7', 'LI8', 'LI9']
  expect(rules.filter((rule) => !counted.includes(rule) && !others.includes(rule))).toEqual([])
})
