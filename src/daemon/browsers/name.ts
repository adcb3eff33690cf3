/** SPEC DR7. A browser's name in vigil's words: its own description may be any text. */
export function browserName(userAgent: string): string {
  const program = wordIn(userAgent, PROGRAMS) ?? 'a browser'
  const system = wordIn(userAgent, SYSTEMS)
  return system === undefined ? program : `${program} on ${system}`
}

/** A name not in use: `Firefox on Linux 2`. */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  for (let number = 2; taken.includes(name); number++) name = `${wanted} ${number}`
  return name
}

type Words = readonly (readonly [RegExp, string])[]

/** Many browsers also include the names of others: the most specific comes first. */
const PROGRAMS: Words = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: Words = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

function wordIn(text: string, words: Words): string | undefined {
  return words.find(([pattern]) => pattern.test(text))?.[1]
}
