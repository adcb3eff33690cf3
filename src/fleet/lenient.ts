import { z } from 'zod'

/**
 * SPEC FL8. The schema of the protocol, for what another version of vigil wrote: unknown fields are
 * dropped; a missing one is null, false or empty, as far as its type allows; a word that is not
 * known where nothing may be said is null.
 */
export function lenient(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries<z.ZodType>(schema.shape)
    return z.object(Object.fromEntries(shape.map(([key, value]) => [key, lenientField(value)])))
  }
  if (schema instanceof z.ZodArray) return z.array(lenient(schema.element as z.ZodType))
  if (schema instanceof z.ZodNullable) return z.nullable(lenient(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodRecord)
    return z.record(z.string(), lenient(schema.valueType as z.ZodType))
  if (schema instanceof z.ZodUnion)
    return z.union((schema.options as readonly z.ZodType[]).map(lenient))
  return schema
}

function lenientField(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) {
    const inner = schema.unwrap() as z.ZodType
    const field = z.nullable(lenient(inner)).default(null)
    return inner instanceof z.ZodEnum ? field.catch(null) : field
  }
  if (schema instanceof z.ZodExactOptional)
    return z.exactOptional(lenient(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodArray) return lenient(schema).default([])
  return schema instanceof z.ZodBoolean ? schema.default(false) : lenient(schema)
}
