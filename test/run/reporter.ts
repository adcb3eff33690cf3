/** A vitest reporter: writes how each test ended to the file that VIGIL_OUTCOMES names. */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { firstLine, type Outcome, reasonIn } from './outcome.ts'

export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.VIGIL_OUTCOMES
    if (path) writeFileSync(path, JSON.stringify(modules.flatMap(outcomesOf)))
  }
}

function outcomesOf(module: TestModule): Outcome[] {
  const file = module.relativeModuleId
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()]
  return [
    ...suites.flatMap((suite) => brokenIn(suite, file)),
    ...[...module.children.allTests()].map((test) => outcomeOf(test, file)),
  ]
}

/** A failed hook, or a file that could not be loaded: none of its tests ran. */
function brokenIn(suite: TestModule | TestSuite, file: string): Outcome[] {
  const [error] = suite.errors()
  if (!error) return []
  const name = suite.type === 'suite' ? `before ${suite.fullName}` : 'before its tests'
  return [{ file, name, state: 'failed', why: firstLine(error.message) }]
}

function outcomeOf(test: TestCase, file: string): Outcome {
  const { fullName: name } = test
  const result = test.result()
  if (result.state === 'failed')
    return { file, name, state: 'failed', why: firstLine(result.errors[0]?.message) }
  if (result.state === 'passed') return { file, name, state: 'passed' }
  const why = (result.state === 'skipped' ? result.note : undefined) ?? reasonIn(name)
  return { file, name, state: 'skipped', ...(why !== undefined && { why }) }
}
