import type {
  LoopAnswer,
  LoopBegun,
  LoopQuestion,
  LoopStart,
  LoopStarted,
  LoopStep,
  LoopView,
} from '../../protocol/loop.ts'
import type { By } from '../panes/shapes.ts'

/** The operations on loops. */
export interface Loops {
  list(options: { readonly all: boolean }): readonly LoopView[]
  /** By its own id, or by its session's. */
  find(name: string): LoopView | undefined
  history(name: string): readonly LoopStep[]
  /** Each of these is logged before it takes effect. */
  start(wanted: LoopStart, by: By): Promise<LoopStarted>
  pause(name: string, why: string, by: By): LoopView
  resume(name: string, by: By): Promise<LoopStarted>
  stop(name: string, why: string, by: By): LoopView
  export(name: string): object
  import(session: string, text: string, by: By): LoopView
  /** Starts the loop that was typed after `/vigil:loop` in this session. */
  begin(session: string, gone: AbortSignal): Promise<LoopBegun>
  answer(question: LoopQuestion, gone: AbortSignal): Promise<LoopAnswer>
}
