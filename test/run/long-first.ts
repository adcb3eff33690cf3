import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isAmong, LONG } from './sets.ts'

/**
 * The longest files first, so that none of them is left to one worker while the others have nothing
 * to do. A clean clone knows no durations: vitest would then go by the size of a file.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      isAmong(relative(this.ctx.config.root, moduleId), LONG)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
