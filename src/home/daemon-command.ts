/**
 * SPEC LI7. A daemon is idle most of the time. After one busy second V8 would reserve 20 MB for
 * young objects and keep them.
 */
export const SMALL_HEAP = '--max-semi-space-size=1'

/** The words that start a daemon in the background, whichever program runs them. */
export function daemonCommand(node: string, vigil: string): readonly string[] {
  return [node, SMALL_HEAP, vigil, 'daemon', '--quiet']
}
