import { expect, it } from 'vitest'
import { aRequest } from '../../../test/support/open-request.ts'
import { printedRequest, requestCode } from './answer-said.ts'

it('[SH6] a code names one request with one content', () => {
  const request = { id: 'hook.1@1', digest: 'a'.repeat(64) }
  const code = requestCode(request)
  expect(code).toMatch(/^[\da-f]{12}$/)
  expect(requestCode({ ...request })).toBe(code)
  expect(requestCode({ ...request, id: 'hook.2@1' })).not.toBe(code)
  expect(requestCode({ ...request, digest: 'b'.repeat(64) })).not.toBe(code)
})

it('[CX40] a request of a subagent names the subagent', () => {
  const own = { ...aRequest(), session: 'one', tool: 'Bash', at: 0 }
  expect(printedRequest(own, undefined, 1_000)[0]).toMatch(/^one asks to use Bash/)
  const [line] = printedRequest({ ...own, actor: 'a1' }, undefined, 1_000)
  expect(line).toMatch(/^subagent a1 of one asks to use Bash/)
})
