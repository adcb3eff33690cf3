import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isAmong, LONG } from './sets.ts'

/**
 * The longest files first, so that no worker is left with one of them while the others are idle. A
 * fresh clone has no durations: then vitest goes by the size of a file.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      isAmong(relative(this.ctx.config.root, moduleId), LONG)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
