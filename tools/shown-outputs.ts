import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStage } from '../src/app/stage.ts'

const VIGIL = fileURLToPath(new URL('../bin/vigil.js', import.meta.url))
/** So slow that no agent of the demo takes its next step meanwhile. */
const STILL = 0.01

/** What each command prints when all run one after the other against a demo of their own. */
export async function outputsOf(commands: readonly string[]): Promise<readonly string[][]> {
  const home = mkdtempSync(join(tmpdir(), 'vigil-shown-'))
  const stage = await openStage({ speed: STILL, hasPast: false })
  const script = `#!/bin/sh\nexec '${process.execPath}' '${VIGIL}' "$@"\n`
  writeFileSync(join(home, 'vigil'), script, { mode: 0o755 })
  const path = [home, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':')
  try {
    const outputs: string[][] = []
    for (const command of commands)
      outputs.push(
        await printedBy(command, { PATH: path, HOME: home, VIGIL_HOME: stage.folders.data }),
      )
    return outputs
  } finally {
    await stage.close()
    rmSync(home, { recursive: true, force: true })
  }
}

function printedBy(command: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk
    })
    child.on('error', reject)
    child.on('close', () => resolve(printed.trimEnd().split('\n').map(trimmed)))
  })
}

function trimmed(line: string): string {
  return line.trimEnd()
}

/** Without what is different each time: how long ago, clock, codes of requests, ids. */
export function timeless(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line
      .replaceAll(/\b\d+ (?:s|min|h|d)\b(?: \d+ (?:s|min|h)\b)?/g, 'TIME')
      .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, 'DATE')
      .replaceAll(/\b\d\d:\d\d(?::\d\d)?\b/g, 'CLOCK')
      .replaceAll(/\b[\da-f]{8}-[\da-f-]{27}\b/g, 'ID')
      .replaceAll(/\bloop-\d+/g, 'LOOP')
      .replaceAll(/\b(?:[\da-f]{12}|[\da-f]{8})\b/g, 'CODE')
      .replaceAll(/ +/g, ' '),
  )
}
