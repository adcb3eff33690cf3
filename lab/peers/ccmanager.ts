import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { install } from './install.ts'
import { livesOf, Screen } from './lines.ts'
import { type Absent, type Peer, Sayings, ticks, type View } from './peer.ts'

const locks = fileURLToPath(new URL('ccmanager/', import.meta.url))
const CACHE = fileURLToPath(new URL('../../.cache/peers/', import.meta.url))
const KNOWS = 'screen, its own detector from npm'

/** ccmanager's own detector, installed if missing, unless that is not allowed. */
export async function ccmanager(mayInstall = true, cache = CACHE): Promise<Peer | Absent> {
  const { dependencies } = JSON.parse(readFileSync(join(locks, 'package.json'), 'utf8'))
  const version: string = dependencies.ccmanager
  const name = `ccmanager ${version}`
  try {
    const place = join(cache, `ccmanager-${version}`)
    if (mayInstall && !existsSync(place)) await install(locks, place)
    const own = await ownOf(place)
    return { name, knows: KNOWS, judge: (view) => judge(own, view) }
  } catch (error) {
    const [why = ''] = (error as Error).message.trim().split('\n').slice(-1)
    return { name, knows: KNOWS, absent: why }
  }
}

interface Terminal {
  readonly rows: number
  readonly cols: number
  readonly buffer: { readonly active: object }
}

type OwnState = 'busy' | 'waiting_input' | 'idle'

interface Detector {
  detectState(terminal: Terminal, current: OwnState): OwnState
  detectBackgroundTask(terminal: Terminal): number
  debounceIdle(terminal: Terminal, current: OwnState, now: number): OwnState
}

interface Own {
  readonly Detector: new () => Detector
  readonly first: OwnState
  readonly everyMs: number
}

/** The parts of the package that judge: its detector, its first state, its interval. */
async function ownOf(folder: string): Promise<Own> {
  if (!existsSync(folder)) throw new Error('not installed, npm run clients does it')
  const dist = join(folder, 'node_modules/ccmanager/dist')
  const load = (path: string) => import(pathToFileURL(join(dist, path)).href)
  const { ClaudeStateDetector } = await load('services/stateDetector/claude.js')
  const { createInitialSessionStateData } = await load('utils/mutex.js')
  // The manager itself runs only on Bun, so its interval can be read but not imported.
  const manager = readFileSync(join(dist, 'services/sessionManager.js'), 'utf8')
  const everyMs = Number(/STATE_CHECK_INTERVAL_MS = (\d+)/.exec(manager)?.[1])
  if (!(everyMs > 0)) throw new Error('its interval was not found in it')
  return { Detector: ClaudeStateDetector, first: createInitialSessionStateData().state, everyMs }
}

/**
 * It starts each client itself, looks at its screen at its interval, and learns of its end as its
 * parent.
 */
function judge(own: Own, { lines, endAt }: View) {
  const sayings = new Sayings()
  const screen = new Screen(lines)
  const lives = livesOf(lines)
  lives.forEach(({ t, alive }, index) => {
    if (alive) watch(own, screen, sayings, t, lives[index + 1]?.t ?? endAt)
    else sayings.say(t, 'closed')
  })
  return sayings.all
}

function watch(own: Own, screen: Screen, sayings: Sayings, from: number, to: number): void {
  let now = from
  // It uses the machine's clock; here the recording's.
  class InTime extends own.Detector {
    override debounceIdle(terminal: Terminal, current: OwnState): OwnState {
      return super.debounceIdle(terminal, current, now)
    }
  }
  const detector = new InTime()
  let state = own.first
  sayings.say(from, wordFor(state, 0))
  for (now of ticks(from, own.everyMs, to)) {
    const shown = screen.at(now)
    // Earlier output belongs to a shell; ccmanager gives each client a blank terminal.
    const terminal = terminalOf(shown && shown.t >= from ? shown.text : '')
    state = detector.detectState(terminal, state)
    sayings.say(now, wordFor(state, detector.detectBackgroundTask(terminal)))
  }
}

/** A row that says idle and shows background tasks is counted as working, in its favour. */
function wordFor(state: OwnState, tasks: number): string {
  if (state === 'waiting_input') return 'waiting'
  return state === 'busy' || tasks > 0 ? 'working' : 'idle'
}

/** The part of a terminal that its detector reads. */
function terminalOf(text: string): Terminal {
  const lines = text.split('\n')
  const getLine = (y: number) =>
    lines[y] === undefined ? undefined : { translateToString: () => lines[y] }
  const cols = Math.max(...lines.map((line) => line.length))
  return { rows: lines.length, cols, buffer: { active: { type: 'normal', baseY: 0, getLine } } }
}
