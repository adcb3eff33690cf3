import { expect, it } from 'vitest'
import { linkOf } from './link.ts'

it.each([
  ['https://example.org/a?b#c', 'example.org'],
  ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
  ['mailto:ada@example.org', 'ada@example.org'],
  ['HTTPS://EXAMPLE.org', 'example.org'],
  // The address reveals what its letters hide.
  ['https://еxample.org', 'xn--xample-2of.org'],
])('[PG21] %s may be followed, and leads to %s', (address, host) => {
  expect(linkOf(address)?.host).toBe(host)
})

it.each([
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:x'],
  ...['data:text/html,<script>', 'vbscript:x', 'file:///etc/passwd', 'blob:https://a/b'],
  ...[
    'https://user:word@example.org',
    'https://bank.com@example.org',
    '//example.org',
    '/v1/stop',
    '#/s/x',
    'x',
    '',
  ],
  `https://example.org/${'x'.repeat(3_000)}`,
])('[PG21] %j may not', (address) => {
  expect(linkOf(address)).toBeNull()
})
