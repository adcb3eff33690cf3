import { expect, it } from 'vitest'
import { requestCode } from './answer-said.ts'

it('[SH6] a code names one request with one content', () => {
  const request = { id: 'hook.1@1', digest: 'a'.repeat(64) }
  const code = requestCode(request)
  expect(code).toMatch(/^[\da-f]{12}$/)
  expect(requestCode({ ...request })).toBe(code)
  expect(requestCode({ ...request, id: 'hook.2@1' })).not.toBe(code)
  expect(requestCode({ ...request, digest: 'b'.repeat(64) })).not.toBe(code)
})
