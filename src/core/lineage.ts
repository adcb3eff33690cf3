/**
 * Sessions that are one conversation to their user: `/clear`, resume and fork give it a new id; the
 * process or the client's own note links them (SPEC L1–L3).
 */
export class Lineages {
  readonly #parents = new Map<string, string>()
  readonly #successors = new Map<string, string>()
  readonly #children = new Map<string, Set<string>>()

  /** Links `child` to `parent`; returns whether the link is new. */
  link(child: string, parent: string): boolean {
    if (child === parent || this.#parents.has(child) || this.rootOf(parent) === child) return false
    this.#setParent(child, parent)
    this.#successors.set(parent, child)
    return true
  }

  /** The session that continues this one. */
  successorOf(session: string): string | undefined {
    return this.#successors.get(session)
  }

  parentOf(session: string): string | undefined {
    return this.#parents.get(session)
  }

  /** The first session of the conversation: the name of its lineage. */
  rootOf(session: string): string {
    let root = session
    for (let parent = this.#parents.get(root); parent; parent = this.#parents.get(root))
      root = parent
    return root
  }

  /** The children of a forgotten session move to its parent, so that the lineage keeps its name. */
  forget(session: string): void {
    const parent = this.#parents.get(session)
    if (parent !== undefined) this.#children.get(parent)?.delete(session)
    this.#parents.delete(session)
    this.#successors.delete(session)
    const children = this.#children.get(session) ?? []
    this.#children.delete(session)
    for (const child of children)
      if (parent === undefined) this.#parents.delete(child)
      else this.#setParent(child, parent)
  }

  #setParent(child: string, parent: string): void {
    this.#parents.set(child, parent)
    const children = this.#children.get(parent)
    if (children) children.add(child)
    else this.#children.set(parent, new Set([child]))
  }
}
