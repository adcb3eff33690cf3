import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../lab/drive/client.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { type Script, say, script } from '../../lab/model/script.ts'
import { SUMMARIZE } from '../../lab/scripts/common.ts'
import { until } from '../../lab/until.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { left, startOf } from '../hook/support.ts'
import { installClaude, uninstallClaude } from '../support/install.ts'
import { goesOn, reminded } from '../support/told.ts'
import { VERSIONS } from '../support/versions.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const OWN = '{\n  "theme": "dark"\n}\n'
const MARK = 'vigil-test-real-hook'

let scene: Scene
afterEach(() => scene?.end())

/** A client with vigil's hooks, every session of it in a loop, and a stand-in for the daemon. */
class Scene {
  readonly stage: Stage
  readonly asked: { report: string; result?: unknown }[] = []
  /** What is said to the next question, and at last to all. */
  answers: object[] = [{ act: 'allow' }]
  #server: Server | undefined

  static async open(talk: Script, client: string): Promise<Scene> {
    const stage = await openStage(talk, { client, env: () => ({ VIGIL_TEST_MARK: MARK }) })
    scene = new Scene(stage)
    return scene
  }

  constructor(stage: Stage) {
    this.stage = stage
    writeFileSync(this.settings, OWN)
  }

  get settings(): string {
    return join(this.stage.place.home, '.claude/settings.json')
  }

  get folders() {
    return foldersOf({ VIGIL_HOME: join(this.stage.place.root, 'vi gil') })
  }

  /** With a vigil that notes what it is called with. */
  install(plugin = false): void {
    const vigil = join(this.stage.place.root, 'vigil.sh')
    writeFileSync(vigil, `{ echo "$CLAUDE_CODE_SESSION_ID|$*"; cat; } >>"$0.said"\necho Begun.\n`)
    const { version } = this.stage.target
    const to = { folders: this.folders, configDirs: [join(this.stage.place.home, '.claude')] }
    installClaude({ ...to, version, plugin, node: plugin ? '/bin/sh' : process.execPath, vigil })
    symlinkSync(join(root, 'bin/answer.js'), join(this.stage.place.root, 'answer.js'))
  }

  said(): string {
    return readFileSync(join(this.stage.place.root, 'vigil.sh.said'), 'utf8')
  }

  async listen(): Promise<void> {
    const { run, socket, token } = this.folders
    mkdirSync(run, { recursive: true, mode: 0o700 })
    writeFileSync(token, 'token\n')
    // This process stands for the daemon, so that no hook starts one.
    writeFileSync(join(run, 'daemon.pid'), `${process.pid} ${startOf(process.pid)}\n`)
    this.#server = createServer(async (from, to) => {
      let text = ''
      for await (const chunk of from) text += chunk
      this.asked.push(JSON.parse(text))
      to.end(JSON.stringify(this.answers.length > 1 ? this.answers.shift() : this.answers[0]))
    })
    await new Promise<void>((resolve) => this.#server?.listen(socket, resolve))
  }

  /** As the daemon does once it knows the session. */
  async arm(): Promise<void> {
    const { spool, run } = this.folders
    const named = () =>
      (existsSync(spool) ? readdirSync(spool) : [])
        .map((name) => readFileSync(join(spool, name), 'utf8'))
        .flatMap((text) => /"session_id":"([^"]+)"/.exec(text)?.[1] ?? [])[0]
    const id = await until('a report of the session', named)
    mkdirSync(join(run, 'armed'))
    writeFileSync(join(run, 'armed', id), '')
  }

  /** The lines that its user submitted, as the hook left them in the spool. */
  submitted(): string[] {
    const { spool } = this.folders
    return readdirSync(spool)
      .map((name) => readFileSync(join(spool, name), 'utf8').split('\n'))
      .flatMap((lines) => lines.filter((line) => line.startsWith('{')))
      .map((line) => JSON.parse(line))
      .flatMap((payload) => (payload.hook_event_name === 'UserPromptSubmit' ? payload.prompt : []))
  }

  /** The last message to the model, by the newest request of the conversation. */
  told(): string[] {
    const main = this.stage.model.requests.filter(({ side, body }) => body && !side)
    return main.map(({ body }) => JSON.stringify(body?.messages.slice(-2)))
  }

  async end(): Promise<void> {
    this.#server?.close()
    await this.stage.end()
  }
}

/** More than the client takes on its own. */
const BLOCKS = 12

describe.each(VERSIONS)('client %s', (version) => {
  it('[LP30][LP40] goes on with each reason, past its own cap, then stops', async () => {
    const steps = Array.from({ length: BLOCKS }, (_, n) => say(`Part ${n + 1} of it.`))
    const talk = steps.reduce((so, step) => so.next(step), script('go on').on('hello', say('Hi.')))
    const on = await Scene.open(talk, version)
    on.install()
    await on.listen()
    const reasons = steps.map((_, n) => `[ITERATION ${n + 1}/${BLOCKS}] Continue "so"\n\nand on.`)
    const client = await on.stage.claude()
    await on.arm()
    on.answers = [...reasons.map(goesOn), { act: 'allow' }]
    await client.submit('hello')
    const last = `Part ${BLOCKS} of it.`
    await client.pane.sees((screen) => screen.includes(last), { withinMs: 60_000 })
    await until('the last Stop', () => on.asked.length === BLOCKS + 1)
    const told = on.told().slice(1)
    expect(told).toHaveLength(BLOCKS)
    reasons.forEach((reason, n) => {
      expect(told[n]).toContain(JSON.stringify(reason).slice(1, -1))
    })
    expect(await client.pane.screen()).not.toMatch(/overriding|blocked the turn/)
  })

  it('[LP36] gets its prompt again after a compaction', async () => {
    const talk = script('compact').on(SUMMARIZE, say('Hello was said.'))
    const whole = talk.on('begin', say('Begun.')).on('hello', say('Hi.')).on('more', say('More.'))
    const on = await Scene.open(whole, version)
    on.install()
    await on.listen()
    const client = await on.stage.claude()
    await on.arm()
    for (const [prompt, answer] of [
      ['begin', /Begun/],
      ['hello', /Hi\./],
    ] as const) {
      await client.submit(prompt)
      await client.pane.sees(answer)
    }
    await until('two Stops', () => on.asked.length === 2)
    on.answers = [reminded('The goal: "mend"\nit.'), { act: 'allow' }]
    await client.submit('/compact')
    await client.pane.sees(/[Cc]ompacted/)
    await until('the question after it', () => on.asked.length === 3)
    await client.submit('more')
    await client.pane.sees(/More\./)
    const requests = on.stage.model.requests.filter(({ side, body }) => body && !side)
    expect(JSON.stringify(requests.at(-1)?.body?.messages)).toContain(String.raw`\"mend\"\nit.`)
  })

  it('[LP38] Esc ends a check that its Stop waits for, and the agent stops', async () => {
    const on = await Scene.open(script('check').on('hello', say('Hi.')), version)
    on.install()
    await on.listen()
    const client = await on.stage.claude()
    await on.arm()
    const chore = { kind: 'check', command: 'exec sleep 77', timeoutMs: 600_000 }
    on.answers = [{ act: 'chore', chore }, { act: 'allow' }]
    await client.submit('hello')
    const sleeps = () => left({ mark: MARK } as never).filter(isCheck)
    await until('the check', () => sleeps().length > 0)
    await client.pane.press('Escape')
    await client.pane.sees(/[Ii]nterrupted/)
    await until('the end of the check', () => sleeps().length === 0)
    expect(on.asked).toHaveLength(1)
  })

  it('[LP42] finds nothing wrong with the plugin', async () => {
    const on = await Scene.open(script('validate'), version)
    const line = 'exec claude plugin validate "$1" </dev/null'
    const { code, stdout } = await on.stage.run(['sh', '-c', line, 'sh', join(root, 'plugin')])
    expect(stdout).toMatch(/Validation passed\n/)
    expect(code).toBe(0)
  })

  // 2.0.50 offers no command of a plugin that its settings name.
  if (version === '2.0.50') return

  it('[LP41][LP43][WD14] runs /vigil:loop without a word, and reports what was typed', async () => {
    const talk = script('plugin').on('Begin with the task', say('I have begun.'))
    const on = await Scene.open(talk.on('/vigil', say('Well.')), version)
    on.install(true)
    await on.listen()
    const client = await on.stage.claude()
    await knowsPlugin(client)
    const typed = `it's "so" $HOME !\`id\` $(id) --until "npm test" --max 3`
    await client.submit(`/vigil:loop ${typed}`)
    await client.pane.sees(/I have begun/)
    expect(on.said()).toMatch(/^[^\n]*\|loop begin\n$/)
    expect(on.told().at(-1)).toContain('Begun.')
    expect(on.submitted()).toEqual([`/vigil:loop ${typed}`])
    uninstallClaude(on.folders, [])
    expect(readFileSync(on.settings, 'utf8')).not.toMatch(/vigil/)
    rmSync(join(on.stage.place.root, 'vigil.sh'))
  })
})

/** In its very first session a client looks for its plugins while it is ready already. */
async function knowsPlugin({ pane }: Client): Promise<void> {
  const offered = async () => {
    await pane.type('/vigil:loop')
    const seen = await pane.sees(/\(vigil\)/, { withinMs: 1_500 }).catch(() => undefined)
    await pane.press('C-u')
    await pane.sees((screen) => !screen.includes('/vigil:loop'))
    return seen
  }
  await until('the client to offer /vigil:loop', offered, { shows: () => pane.screen() })
}

function isCheck(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === 'sleep\x0077\x00'
  } catch {
    return false
  }
}
