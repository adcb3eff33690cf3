import { expectTypeOf, it } from 'vitest'
import type { Item, ItemSource, LoopState, Worktree } from '../core/loop/run.ts'
import type { CheckReport, NextItem, PendingCheck } from '../core/loop/stop.ts'
import type { LoopFacet, Report, WaitingFor } from '../core/signal.ts'
import type { Doing, Evidence, IdleAfter, TaskFacet, Verdict } from '../core/verdict.ts'
import type * as loop from './loop.ts'
import type { ReportEntry } from './report.ts'
import type { TypeOf } from './schema.ts'
import type * as verdict from './verdict.ts'

it('[P9] what the core decides has the same type in the protocol', () => {
  expectTypeOf<TypeOf<typeof verdict.verdict>>().toEqualTypeOf<Verdict>()
  expectTypeOf<TypeOf<typeof verdict.ground>>().toEqualTypeOf<Evidence>()
  expectTypeOf<TypeOf<typeof verdict.doing>>().toEqualTypeOf<Doing>()
  expectTypeOf<TypeOf<typeof verdict.taskFacet>>().toEqualTypeOf<TaskFacet>()
  expectTypeOf<TypeOf<typeof verdict.loopFacet>>().toEqualTypeOf<LoopFacet>()
  expectTypeOf<TypeOf<typeof verdict.waitingFor>>().toEqualTypeOf<WaitingFor>()
  expectTypeOf<TypeOf<typeof verdict.idleAfter>>().toEqualTypeOf<IdleAfter>()
  expectTypeOf<ReportEntry['report']>().toEqualTypeOf<Report>()
})

it('[P9] what a loop is made of has the same type in the protocol', () => {
  expectTypeOf<TypeOf<typeof loop.item>>().toEqualTypeOf<Item>()
  expectTypeOf<TypeOf<typeof loop.itemSource>>().toEqualTypeOf<ItemSource>()
  expectTypeOf<TypeOf<typeof loop.worktree>>().toEqualTypeOf<Worktree>()
  expectTypeOf<TypeOf<typeof loop.checked>>().toEqualTypeOf<CheckReport>()
  expectTypeOf<TypeOf<typeof loop.nextItem>>().toEqualTypeOf<NextItem>()
  expectTypeOf<TypeOf<typeof loop.chore>>().toEqualTypeOf<PendingCheck>()
  expectTypeOf<loop.LoopView['state']>().toEqualTypeOf<LoopState>()
})
