import { AGENTS } from '../../../src/agents/index.ts'
import { fable } from './index.ts'

/** For `NODE_OPTIONS=--import`: registers one more agent. */
AGENTS.push(fable)
