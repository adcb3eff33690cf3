import { AGENTS } from '../../../src/agents/index.ts'
import { fable } from './index.ts'

/** For `NODE_OPTIONS=--import`: one line makes vigil know one agent more. */
AGENTS.push(fable)
