import { readFileSync } from 'node:fs'

/** Fields 14 and 15 of the process's stat: hundredths of a second in user and system mode. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
