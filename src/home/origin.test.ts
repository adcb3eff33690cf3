import { expect, it } from 'vitest'
import { originFault } from './origin.ts'

it.each([
  'https://thinkpad.tail1234.ts.net',
  'https://vigil.example.org:8443',
  'https://[fd7a:115c:a1e0::1]',
])('[DR11] %s can be let in', (origin) => {
  expect(originFault(origin)).toBeUndefined()
})

it.each([
  ['http://vigil.example.org', 'https://'],
  ['http://localhost:8080', 'For SSH see `vigil share`'],
  ['http://127.0.0.1:8080', 'For SSH see `vigil share`'],
  ['http://localhost.evil.example', 'https://'],
  ['https://*.example.org', 'one exact name'],
  ['https://vigil.example.org/', 'exactly https://vigil.example.org'],
  ['https://vigil.example.org/page', 'exactly https://vigil.example.org'],
  ['https://vigil.example.org:443', 'exactly https://vigil.example.org'],
  ['https://VIGIL.example.org', 'exactly https://vigil.example.org'],
  ['https://ada@vigil.example.org', 'exactly https://vigil.example.org'],
  ['vigil.example.org', 'https:// and a name'],
  ['file:///etc/passwd', 'https:// and a name'],
  ['null', 'https:// and a name'],
  ['*', 'https:// and a name'],
  ['', 'https:// and a name'],
])('[DR11] %j is refused', (origin, words) => {
  expect(originFault(origin)).toContain(words)
})
