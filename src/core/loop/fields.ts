/**
 * Readers for JSON written by this version, another one, or by hand. A reader returns the value or
 * WRONG; one WRONG part makes the whole WRONG. Nothing here throws.
 */
export const WRONG = Symbol('wrong')
export type Read<T> = (value: unknown) => T | typeof WRONG

export const textField: Read<string> = (value) => (typeof value === 'string' ? value : WRONG)

export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : WRONG)

/** JSON writes NaN as null; it is read back as NaN, and the caller judges it. */
export const numberField: Read<number> = (value) => {
  if (value === null) return Number.NaN
  return typeof value === 'number' ? value : WRONG
}

export const count: Read<number> = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : WRONG

export function oneOf<const T extends string>(words: readonly T[]): Read<T> {
  return (value) => words.find((word) => word === value) ?? WRONG
}

export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value) => (value === undefined ? undefined : read(value))
}

export function listOf<T>(read: Read<T>, max: number): Read<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > max) return WRONG
    const all: T[] = []
    for (const entry of value) {
      const one = read(entry)
      if (one === WRONG) return WRONG
      all.push(one)
    }
    return all
  }
}

/** Every field of T has its reader; absent fields stay absent, unknown ones are dropped. */
export function objectOf<T extends object>(
  readers: {
    readonly [K in keyof T]-?: Read<T[K]>
  },
): Read<T> {
  return (value) => {
    if (!isObject(value)) return WRONG
    const copy: Partial<T> = {}
    for (const key in readers) {
      const field = readers[key](Object.hasOwn(value, key) ? value[key] : undefined)
      if (field === WRONG) return WRONG
      if (field !== undefined) copy[key] = field
    }
    return copy as T
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Leaves out undefined fields: optional fields are present or absent. */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as Defined<T>
}

type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}
