import * as values from '../../core/loop/values.ts'
import { BadInput } from './bad-input.ts'

export const durationOption = saidPlainly(values.parseDuration)
export const budgetOption = saidPlainly(values.parseBudget)
export const maxOption = saidPlainly(values.parseMax)
export const patienceOption = saidPlainly(values.parsePatience)

/** A required value that must not be empty. */
export function textOption(option: string, value: string): string {
  if (value.trim() === '') throw new BadInput(`${option}: is empty`)
  return value
}

function saidPlainly<Given extends readonly string[]>(parse: (...given: Given) => number) {
  return (...given: Given): number => {
    try {
      return parse(...given)
    } catch (error) {
      if (error instanceof values.BadValue) throw new BadInput(error.message)
      throw error
    }
  }
}
