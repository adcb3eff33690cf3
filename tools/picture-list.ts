const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

export interface Picture {
  /** Of the terminal view, or of the page in a window of this size. */
  readonly of: 'terminal' | { readonly width: number; readonly height: number }
  readonly scheme: Scheme
  readonly file: string
  /** Of three machines, grouped by machine. */
  readonly fleet?: boolean
}

const PAGE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/** Every picture in docs/pictures: test/documents-pictures.test.ts compares the two. */
export const PICTURES: readonly Picture[] = [
  ...SCHEMES.map((scheme) => picture('terminal', scheme, 'terminal')),
  ...SCHEMES.map((scheme) => picture('page', scheme, PAGE)),
  picture('phone', 'dark', PHONE),
  ...SCHEMES.map((scheme) => ({ ...picture('fleet', scheme, 'terminal'), fleet: true })),
]

function picture(name: string, scheme: Scheme, of: Picture['of']): Picture {
  return { of, scheme, file: `${name}-${scheme}.png` }
}
