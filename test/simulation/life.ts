import { Client } from './client.ts'
import type { Random } from './random.ts'
import { Turns } from './turns.ts'

/** A whole life of a session, as a user and a model might lead it: the seed decides. */
export class Life {
  readonly client: Client
  readonly #random: Random
  readonly #turns: Turns
  /** Whether it may be killed: seen by the process source alone, so not where that is lost. */
  readonly #mayBeKilled: boolean

  constructor(random: Random, mayBeKilled: boolean, old: boolean) {
    this.client = new Client(old)
    this.#random = random
    this.#turns = new Turns(this.client, random)
    this.#mayBeKilled = mayBeKilled
  }

  lead(turns: number): void {
    this.#launch('startup')
    for (let i = 0; i < turns; i++) {
      this.client.wait(this.#random.spread(800, 60_000))
      this.#episode()
    }
    this.client.wait(30_000)
  }

  #episode(): void {
    const dice = this.#random.next()
    if (dice < 0.06) this.#clear()
    else if (dice < 0.12) this.#compact()
    else if (dice < 0.2 && !this.client.old) this.#leaveAndResume()
    else if (dice < 0.23) this.client.wait(1_900_000)
    else this.#turns.turn()
  }

  #launch(how: string): void {
    const { client } = this
    client.launched()
    // Old clients note something in the transcript before they run a hook.
    if (client.old) client.entry({ type: 'system', subtype: 'informational' })
    client.wait(30)
    client.hook('SessionStart', { source: how, prompt_id: undefined })
    client.wait(200)
    client.becomes('idle', 'idle')
    client.shows('prompt')
    client.statusline()
  }

  #clear(): void {
    const { client } = this
    client.hook('SessionEnd', { reason: 'clear' })
    client.wait(60)
    client.session = client.id('session')
    client.turn = client.id('turn')
    client.hook('SessionStart', { source: 'clear', prompt_id: undefined })
    client.becomes('idle', 'idle')
    client.user('<command-name>/clear</command-name>')
    client.shows('prompt')
    client.statusline()
  }

  #compact(): void {
    const { client } = this
    client.turn = client.id('turn')
    client.hook('PreCompact', { trigger: 'manual' })
    client.becomes('working', 'busy')
    client.shows('working')
    this.#turns.spin(this.#random.spread(1_000, 30_000))
    client.hook('SubagentStop', { agent_id: client.id('helper'), agent_type: '' })
    client.hook('SessionStart', { source: 'compact' })
    client.hook('PostCompact', { trigger: 'manual' })
    client.entry({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'manual' },
    })
    this.#turns.backToPrompt('idle')
  }

  #leaveAndResume(): void {
    const { client } = this
    if (!this.#mayBeKilled || this.#random.chance(0.6)) {
      client.removedFile()
      client.wait(20)
      client.hook('SessionEnd', { reason: 'prompt_input_exit' })
      client.died()
    } else if (this.#random.chance(0.3)) client.replaced()
    else client.died()
    client.shows('shell')
    client.wait(this.#random.spread(3_000, 50_000))
    this.#launch('resume')
  }
}
