import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { AGENTS } from '../../../src/agents/index.ts'
import { fable } from './index.ts'

/** Known in this process, for the length of a test. */
export function withFable(): void {
  AGENTS.push(fable)
  onTestFinished(() => void AGENTS.pop())
}

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** In the environment of every process of vigil's that is to know it. */
export const KNOWS_FABLE = { NODE_OPTIONS: `--import=${pathOf('./register.ts')}` }

/** The folder of its program. */
export const FABLE_BIN = pathOf('.')
