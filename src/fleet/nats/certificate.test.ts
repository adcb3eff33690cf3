import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { selfSignedCertificate } from './certificate.ts'

it('[FL77] a certificate is for the names and addresses it was made for', async () => {
  const made = await selfSignedCertificate(['localhost', '127.0.0.1', '::1'])
  // Without openssl there is a reason instead.
  if ('missing' in made) expect(made.missing).toContain('openssl')
  else {
    const certificate = new X509Certificate(made.cert)
    expect(certificate.checkHost('localhost')).toBe('localhost')
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(certificate.checkHost('elsewhere')).toBeUndefined()
    expect(made.key).toContain('PRIVATE KEY')
  }
})

it('[FL77] without openssl TLS is off, and says why', async () => {
  const made = await selfSignedCertificate(['localhost'], { PATH: '/nonexistent' })
  expect(made).toEqual({ missing: expect.stringContaining('openssl') })
})

it('[FL77] a name that is none is refused', async () => {
  const made = await selfSignedCertificate(['a,DNS:b'])
  expect(made).toEqual({ missing: expect.stringMatching(/TLS is off/) })
})
