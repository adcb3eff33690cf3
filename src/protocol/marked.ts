import { z } from 'zod'

/** What a value means beyond its type, wherever it stands in an answer. */
type Meaning = 'time' | 'request' | 'own'

const meanings = z.registry<{ means: Meaning }>()

/** Registers a schema; those made from it by `describe` mean the same. */
export function meaning<Schema extends z.ZodType>(schema: Schema, means: Meaning): Schema {
  meanings.add(schema, { means })
  return schema
}

export interface MarkedChanges {
  readonly time: (at: number) => number
  readonly request: (id: string) => string
}

/**
 * SPEC FL122. The value with each time and each request's id changed, wherever its schema has one:
 * an answer of another machine is read by this machine's clock, names requests of that machine, and
 * is not about this machine's own sessions.
 */
export function changeMarked(schema: z.ZodType, value: unknown, change: MarkedChanges): unknown {
  const means = meanings.get(schema)?.means
  if (means === 'time') return typeof value === 'number' ? change.time(value) : value
  if (means === 'request') return typeof value === 'string' ? change.request(value) : value
  if (means === 'own') return false
  if (value === null || typeof value !== 'object') return value
  const { def } = schema._zod as unknown as { readonly def: Definition }
  const within = (inner: z.ZodType | undefined, of: unknown) =>
    inner === undefined ? of : changeMarked(inner, of, change)
  if (Array.isArray(value)) return value.map((one) => within(elementOf(def), one))
  const inner = innerOf(def, value)
  if (inner) return within(inner, value)
  const fields = Object.entries(value).map(([name, one]) => {
    return [name, within(def.shape?.[name] ?? def.valueType, one)] as const
  })
  return Object.fromEntries(fields)
}

/** The parts of zod's own description of a schema that lead to others. */
interface Definition {
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly in?: z.ZodType
}

function elementOf(def: Definition): z.ZodType | undefined {
  const { element, innerType } = def
  if (element || !innerType) return element
  return elementOf((innerType._zod as unknown as { readonly def: Definition }).def)
}

/** Nullable, optional and the like have one inner schema; of a union, the one that fits counts. */
function innerOf({ innerType, options, in: input }: Definition, value: unknown) {
  return innerType ?? options?.find((one) => one.safeParse(value).success) ?? input
}
