/** The version in `2.1.325 (Claude Code)`, `codex-cli 0.166.0`, `v1.2.3`. */
export function versionIn(said: string): string | undefined {
  return /(?:^|\s|v)(\d+\.\d+\.\d+)(?=[\s(-]|$)/.exec(said)?.[1]
}

export function isAtLeast(version: string, least: string): boolean {
  const [have, want] = [numbersOf(version), numbersOf(least)]
  const differs = want.findIndex((part, index) => part !== have[index])
  return differs === -1 || (have[differs] ?? 0) > (want[differs] ?? 0)
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number)
}
