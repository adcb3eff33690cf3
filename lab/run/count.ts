import { BadInput } from '../../src/surfaces/cli/bad-input.ts'

/** Reads an option that is a number of things. */
export function countOf(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (Number.isInteger(value) && value >= 1) return value
    throw new BadInput(`${option} ${text}: expected a whole number from 1 on`)
  }
}
