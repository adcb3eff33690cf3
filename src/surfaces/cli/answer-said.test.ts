import { expect, it } from 'vitest'
import { codeOf } from './answer-said.ts'

it('[SH6] a code names one request with one content', () => {
  const request = { id: 'hook.1@1', digest: 'a'.repeat(64) }
  const code = codeOf(request)
  expect(code).toMatch(/^[\da-f]{12}$/)
  expect(codeOf({ ...request })).toBe(code)
  expect(codeOf({ ...request, id: 'hook.2@1' })).not.toBe(code)
  expect(codeOf({ ...request, digest: 'b'.repeat(64) })).not.toBe(code)
})
