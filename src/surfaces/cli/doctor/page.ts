import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { readSettings } from '../../../home/settings.ts'
import type { CheckContext } from './context.ts'

const { request } = process.getBuiltinModule('node:http')

/** A daemon that answers at all answers this at once. */
const ANSWER_MAX_MS = 5_000

/**
 * SPEC DR15. Whether a browser would get the page, which browsers are signed in, and under what
 * address.
 */
export async function checkPage({ daemon, folders }: CheckContext): Promise<CheckFinding[]> {
  const address = daemon?.health.address
  if (!daemon || !address) return []
  const wrong = await faultOf(address)
  if (wrong) return [wrong]
  const { browsers } = await daemon.client.browsers()
  const origins = originsOf(folders)
  const who = browsers.length === 1 ? '1 browser has' : `${browsers.length} browsers have`
  const beside = origins.length === 0 ? '' : `, and ${origins.join(', ')}`
  const figures = { browsers: browsers.length, origins: origins.length }
  return [finding.ok('page', `at ${address}${beside}; ${who} signed in`, { figures })]
}

async function faultOf(address: string): Promise<CheckFinding | undefined> {
  try {
    const status = await statusOf(address)
    if (status === 200) return undefined
    if (status === 503)
      return finding.warning(
        'page',
        'the page is not built',
        'run `npm run page`, then `vigil stop`',
      )
    return finding.warning(
      'page',
      `${address} answers with status ${status}`,
      'run `vigil stop`, then `vigil open`',
    )
  } catch (error) {
    const { message } = error as Error
    return finding.warning(
      'page',
      `${address} does not answer (${message})`,
      'run `vigil stop`, then `vigil open`',
    )
  }
}

/** By IP address: unlike browsers, the system may not resolve names under `localhost`. */
function statusOf(address: string): Promise<number | undefined> {
  const { host, port } = new URL(address)
  const at = { host: '127.0.0.1', port, method: 'HEAD', headers: { host }, agent: false }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MAX_MS)
    request({ ...at, signal }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end()
  })
}

/** Another check reports settings that cannot be read. */
function originsOf(folders: CheckContext['folders']): readonly string[] {
  try {
    return readSettings(folders).share.origins
  } catch {
    return []
  }
}
