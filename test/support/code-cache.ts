import { fileURLToPath } from 'node:url'

/**
 * For everything that a test starts: Node keeps there what it compiled. Each home has such a cache
 * of its own, but a home is new in almost every test, and compiling vigil takes three times as long
 * as running it.
 */
export const CODE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.cache/code', import.meta.url)),
}
