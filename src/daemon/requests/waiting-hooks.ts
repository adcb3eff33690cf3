import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Folders, privateFolder, waitingFolder } from '../../home/folders.ts'
import { fileNames } from '../../home/plain-file.ts'
import { errorCode } from '../../home/regular-file.ts'
import type { Complain } from '../../sources/arrival.ts'
import { spoolName } from '../../sources/spool-parse.ts'

/** The word for a waiting hook: to fetch its answer from the daemon, or to end silently. */
export type HookCommand = 'answer' | 'end'

/** Hooks that wait for an answer, each by the name of the report it left. */
export interface WaitingHooks {
  /** Hooks may wait from now on. */
  open(): void
  /** Hooks may no longer wait; those that do end. */
  close(): void
  waits(name: string): boolean
  /** False where no hook is waiting. */
  send(name: string, word: HookCommand): boolean
  /** Its hook has its answer. */
  forget(name: string): void
  /** Ends the hooks whose report led to no open request. */
  endAllBut(isOpen: (name: string) => boolean): void
}

/**
 * SPEC AN10. A hook waits in a `read` from its own named pipe, which is in a private folder and has
 * the name of the hook's report. The pipe carries no decision, so writing into it decides nothing:
 * the hook fetches the decision by name and digest (BR2).
 */
export class WaitPipes implements WaitingHooks {
  readonly #folder: string
  readonly #spool: string
  readonly #complain: Complain

  constructor(folders: Pick<Folders, 'run' | 'spool'>, complain: Complain) {
    this.#folder = waitingFolder(folders)
    this.#spool = folders.spool
    this.#complain = complain
  }

  open(): void {
    this.#try(() => privateFolder(this.#folder))
  }

  close(): void {
    for (const name of this.#names()) this.send(name, 'end')
    this.#try(() => rmdirSync(this.#folder))
  }

  waits(name: string): boolean {
    const pipe = this.#reach(name)
    if (pipe !== undefined) closeSync(pipe)
    return pipe !== undefined
  }

  send(name: string, word: HookCommand): boolean {
    const pipe = this.#reach(name)
    if (pipe !== undefined) this.#try(() => writeSync(pipe, `${word}\n`))
    if (pipe !== undefined) closeSync(pipe)
    if (word === 'end') this.forget(name)
    return pipe !== undefined
  }

  forget(name: string): void {
    if (isPipeName(name)) rmSync(join(this.#folder, name), { force: true })
  }

  /** A hook whose report is still in the spool has a request to come. */
  endAllBut(isOpen: (name: string) => boolean): void {
    const left = this.#names().filter((name) => !isOpen(name))
    for (const name of left) if (!existsSync(join(this.#spool, name))) this.send(name, 'end')
  }

  #names(): readonly string[] {
    return fileNames(this.#folder).filter(isPipeName)
  }

  /** Opened without blocking: that fails where no process has it open for reading. */
  #reach(name: string): number | undefined {
    if (!isPipeName(name)) return undefined
    let pipe: number | undefined
    try {
      const { O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = constants
      pipe = openSync(join(this.#folder, name), O_WRONLY | O_NONBLOCK | O_NOFOLLOW)
      const stats = fstatSync(pipe)
      if (stats.isFIFO() && stats.uid === process.getuid?.()) return pipe
    } catch {
      // No hook waits there.
    }
    if (pipe !== undefined) closeSync(pipe)
    return undefined
  }

  #try(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#complain('waiting hooks cannot be reached', { why: (error as Error).message })
    }
  }
}

function isPipeName(name: string): boolean {
  return spoolName(name)?.kind === 'hook'
}
