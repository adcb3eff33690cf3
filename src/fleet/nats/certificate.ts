import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { findProgram } from '../../platform/programs.ts'
import { SERVER_NAME } from '../../protocol/fleet.ts'

export type Certificate =
  | { readonly cert: string; readonly key: string }
  /** Why there is none: TLS stays off. */
  | { readonly missing: string }

const DAYS = 3650
const RUN_MAX_MS = 20_000

const run = promisify(execFile)

/** SPEC FL77. A self-signed certificate for these names and addresses, with its key (PEM). */
export async function selfSignedCertificate(
  hosts: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Certificate> {
  const openssl = findProgram('openssl', env)
  if (openssl === undefined)
    return { missing: 'TLS is off: openssl, which makes the certificate, is not installed.' }
  const wrong = hosts.find((host) => !SERVER_NAME.test(host))
  if (wrong !== undefined) return { missing: `TLS is off: not a name of a host: ${wrong}` }
  const names = hosts.map((host) => `${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`).join(',')
  const args = [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-keyout', '-', '-out', '-', '-days', String(DAYS), '-subj', '/CN=vigil fleet'],
    ...['-addext', `subjectAltName=${names}`, '-addext', 'extendedKeyUsage=serverAuth'],
  ]
  try {
    const { stdout } = await run(openssl, args, { timeout: RUN_MAX_MS })
    const cert = blockOf(stdout, 'CERTIFICATE')
    const key = blockOf(stdout, 'PRIVATE KEY')
    if (cert !== undefined && key !== undefined) return { cert, key }
    return { missing: 'TLS is off: openssl made no certificate.' }
  } catch (error) {
    return { missing: `TLS is off: openssl failed (${(error as Error).message.trim()}).` }
  }
}

function blockOf(text: string, kind: string): string | undefined {
  const block = new RegExp(`-----BEGIN ${kind}-----[^-]+-----END ${kind}-----\n`).exec(text)
  return block?.[0]
}
