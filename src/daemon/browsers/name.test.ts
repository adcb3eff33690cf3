import { expect, it } from 'vitest'
import { browserName, freeName } from './name.ts'

const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)'
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15'

it.each([
  [`${LINUX} ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`${LINUX} ${KIT} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`${IOS} (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${IOS} (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${KIT} Chrome/140.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605', 'Safari on Mac'],
  ['curl/8.5.0', 'a browser'],
  ['', 'a browser'],
  ['\u001b[2J<script>alert(1)</script> Linux', 'a browser on Linux'],
])('[DR7] %j is %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})

it('[DR7] two of a kind have two names', () => {
  expect(freeName('Firefox on Linux', [])).toBe('Firefox on Linux')
  expect(freeName('a', ['a', 'a 2'])).toBe('a 3')
})
