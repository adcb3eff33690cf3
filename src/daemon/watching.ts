import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { configFolderOf, registryFileOf } from '../agents/claude/files.ts'
import { folderName } from '../agents/claude/folder.ts'
import { judge } from '../core/judge.ts'
import type { State } from '../core/verdict.ts'
import type { Folders } from '../home/folders.ts'
import type { Complain } from '../sources/arrival.ts'
import { ProcessSource } from '../sources/processes.ts'
import { RegistrySource } from '../sources/registry.ts'
import { SpoolSource } from '../sources/spool.ts'
import { TranscriptSource } from '../sources/transcripts.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from './engine.ts'

export interface WatchingOptions {
  readonly engine: Engine
  readonly store: Store
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly complain: Complain
}

/** All sources of this machine, and what follows for them from what the engine has learnt. */
export class Watching {
  readonly #options: WatchingOptions
  readonly #spool: SpoolSource
  readonly #registry: RegistrySource
  readonly #processes: ProcessSource
  readonly #transcripts: TranscriptSource
  readonly #folders = new Set<string>()
  /** Transcripts followed, by session. */
  readonly #followed = new Map<string, string>()

  constructor(options: WatchingOptions) {
    this.#options = options
    const { engine, store, folders, complain } = options
    const sink = engine.take
    this.#spool = new SpoolSource({ folder: folders.spool, sink, complain })
    this.#registry = new RegistrySource({ sink, complain })
    this.#transcripts = new TranscriptSource({
      sink,
      complain,
      cursorOf: (path) => store.cursor(path),
    })
    this.#processes = new ProcessSource({
      sink,
      complain,
      onConfigFolder: (path) => this.addFolder(path),
      onWake: () => this.#tellClock({ woke: true }),
      onStepBack: (ms) => this.#tellClock({ steppedMs: -ms }),
    })
  }
}
