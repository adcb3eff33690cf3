import { expect, it } from 'vitest'
import { serverFault } from './server-fault.ts'

it.each(['2.10.27', '2.10.28', '2.11.1', '2.11.14-RC.1', '2.15.1', 'v3.0.0'])(
  '[FL60] a server of version %s is accepted',
  (version) => {
    expect(serverFault(version)).toBeUndefined()
  },
)

it.each(['2.10.26', '2.9.10', '2.2.0', '1.4.1', '2.11.0', '2.11.0-preview.2', '0.0.0'])(
  '[FL60] a server of version %s is refused, with the reason',
  (version) => {
    expect(serverFault(version)).toContain('CVE-2025-30215')
  },
)

it('[FL60] a server without a version is refused', () => {
  expect(serverFault('unknown')).toContain('no version')
})
