import { fileURLToPath } from 'node:url'

/**
 * For all programs that a test starts: Node's compile cache. Each home has its own, but a home is
 * new in almost every test, and compiling vigil takes three times as long as running it.
 */
export const CODE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.cache/code', import.meta.url)),
}
