import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { daemonCommand } from '../home/daemon-command.ts'
import { writePrivate } from '../home/private-file.ts'
import { type ServiceOptions, variablesOf } from './service.ts'

export const LAUNCH_LABEL = 'agent-vigil.daemon'

type LaunchOptions = Omit<ServiceOptions, 'port'>

/** SPEC I22. The text of the launch agent that starts the daemon at login. */
export function launchAgentText(options: LaunchOptions): string {
  const { node, vigil } = options
  const words = daemonCommand(node, vigil).map((word) => `    ${textOf(word)}\n`)
  const variables = Object.entries(variablesOf(options)).map(
    ([name, to]) => `    <key>${escaped(name)}</key>\n    ${textOf(to)}\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by \`vigil service install\`; \`vigil service remove\` removes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
  "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCH_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>WorkingDirectory</key>
  <string>/</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`
}

export function launchAgentPath({ HOME }: ServiceOptions['env']): string {
  return join(HOME || homedir(), 'Library/LaunchAgents', `${LAUNCH_LABEL}.plist`)
}

export function writeLaunchAgent(options: LaunchOptions): void {
  const path = launchAgentPath(options.env)
  mkdirSync(dirname(path), { recursive: true })
  writePrivate(path, launchAgentText(options), 0o644)
}

export function isLaunchAgentCurrent(options: LaunchOptions): boolean {
  const path = launchAgentPath(options.env)
  return existsSync(path) && readFileSync(path, 'utf8') === launchAgentText(options)
}

export function removeLaunchAgent(env: ServiceOptions['env']): void {
  rmSync(launchAgentPath(env), { force: true })
}

function textOf(word: string): string {
  return `<string>${escaped(word)}</string>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
