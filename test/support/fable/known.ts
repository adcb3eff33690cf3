import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { AGENTS } from '../../../src/agents/index.ts'
import { fable } from './index.ts'

/** Registers it in this process, for the duration of a test. */
export function withFable(): void {
  AGENTS.push(fable)
  onTestFinished(() => void AGENTS.pop())
}

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** For the environment of every process of vigil that should know it. */
export const KNOWS_FABLE = { NODE_OPTIONS: `--import=${pathOf('./register.ts')}` }

/** The folder of its program. */
export const FABLE_BIN = pathOf('.')
