import type { DatabaseSync } from 'node:sqlite'
import { actHash, CHAIN, type ChainedAct, GAP, GENESIS } from './chain.ts'
import { actFrom } from './rows.ts'

/** The logged fields of an act. */
export type NewAct = Omit<ChainedAct, 'id' | 'previous' | 'hash' | 'shown' | 'digest'> & {
  readonly shown?: string | null
  readonly digest?: string | null
}

/** SPEC AU1. Adds an act after the newest one; within a transaction. */
export function addAct(db: DatabaseSync, noted: NewAct): ChainedAct {
  const last = db.prepare('SELECT id, hash FROM acts ORDER BY id DESC LIMIT 1').get()
  const id = Number(last?.id ?? 0) + 1
  const previous = String(last?.hash ?? GENESIS)
  // SQLite stores UTF-8: half a character would be read back as another, with another hash.
  const { at, session, what, where } = noted
  const who = noted.who.toWellFormed()
  const words = noted.words.toWellFormed()
  const shown = noted.shown?.toWellFormed() ?? null
  const digest = noted.digest ?? null
  const act = { id, at, session, what, who, where, words, shown, digest, previous }
  const hash = actHash(act)
  db.prepare(
    `INSERT INTO acts (id, at, session, what, who, place, words, shown, digest, previous, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, at, session, what, who, where, words, shown, digest, previous, hash)
  return { ...act, hash }
}

/** A note of the log about itself. */
export function aboutLog(what: typeof CHAIN | typeof GAP, at: number, words: string): NewAct {
  return { at, session: '', what, who: 'vigil', where: 'daemon', words }
}

/** SPEC AU6. Chains the acts of an older log in their order, and logs that. */
export function chainUnchained(db: DatabaseSync, now: number): void {
  const rows = db.prepare("SELECT * FROM acts WHERE hash = '' ORDER BY id")
  const chain = db.prepare('UPDATE acts SET previous = ?, hash = ? WHERE id = ?')
  let previous = GENESIS
  let chained = 0
  for (const row of rows.all()) {
    const act = actFrom(row)
    if (!act) continue
    const hash = actHash({ ...act, shown: null, digest: null, previous })
    chain.run(previous, hash, act.id)
    previous = hash
    chained += 1
  }
  if (chained === 0) return
  const words = `the chain begins: ${chained} acts were noted before it, without hashes`
  addAct(db, { ...aboutLog(CHAIN, now, words), digest: previous })
}

/** SPEC AU7. Notes in a rebuilt log where its acts continue. */
export function noteRebuild(db: DatabaseSync, now: number, copied: number): void {
  chainUnchained(db, now)
  const words = `the log was damaged and rebuilt: ${copied} acts could be read; others may be lost`
  addAct(db, aboutLog(GAP, now, words))
}
