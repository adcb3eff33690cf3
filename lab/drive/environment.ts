import { FAKE_KEY } from '../model/key.ts'

export type Environment = Readonly<Record<string, string>>

export interface EnvironmentOptions {
  readonly home: string
  readonly path: string
  readonly modelUrl: string
  /** Other variables of the run, such as VIGIL_HOME. */
  readonly extra?: Environment
}

/** All variables of a client. Nothing of the caller's environment gets through. */
export function clientEnvironment(options: EnvironmentOptions): Environment {
  const { home, path, modelUrl, extra = {} } = options
  refuseRealKeys(extra)
  if (new URL(modelUrl).hostname !== '127.0.0.1')
    throw new Error(`model at ${modelUrl}: expected 127.0.0.1; the lab stays on loopback`)
  return {
    HOME: home,
    PATH: path,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: FAKE_KEY,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    ...extra,
  }
}

const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/**
 * The client gets an environment of its own, but a user with a real key should not run the lab:
 * stops early.
 */
export function refuseRealKeys(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of KEYS)
    if (env[name] && env[name] !== FAKE_KEY)
      throw new Error(`${name} is set; the lab runs without keys: unset it and start again`)
}
