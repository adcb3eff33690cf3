/** The first that keeps members out of what is not theirs: SPEC FL60. */
const OLDEST = [2, 10, 27] as const

const HOLE = 'CVE-2025-30215: any member could delete or read the data of others'

/** SPEC FL60. Why a server of this version is refused, in a sentence; undefined if it is not. */
export function serverFault(version: string): string | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)
  if (found === null) return `The server has no version that vigil can read (${version}).`
  const numbers = found.slice(1).map(Number)
  const isOld = compare(numbers, OLDEST) < 0
  // The hole was closed in 2.10.27 and 2.11.1, so one later version still has it.
  const isHole = compare(numbers, [2, 11, 0]) === 0
  if (!isOld && !isHole) return undefined
  return `nats-server ${version} is not safe (${HOLE}): use 2.10.27, 2.11.1 or later.`
}

function compare(left: readonly number[], right: readonly number[]): number {
  const different = right.findIndex((number, index) => number !== left[index])
  return different < 0 ? 0 : (left[different] ?? 0) - (right[different] ?? 0)
}
