import { finding } from '../../../src/agents/finding.ts'
import type { HomeContext, Setup, Texts, Wish } from '../../../src/agents/setup.ts'
import { EditRefused } from '../../../src/edit/refused.ts'

/**
 * Its hooks are lines of `hooks.conf`, in force only
 * where `trust.conf` has the hash of each: two files, the second of which follows from the first,
 * and a client that says by itself what is in force.
 */
export const HOOKS = 'hooks.conf'
export const TRUST = 'trust.conf'

/** How a hook is called that may answer. */
const ANSWERS = ' answer request'

const EVENTS = ['turn.begin', 'turn.end', 'ask']
/** What the client knows since its second version. */
const NEWER = ['quit']

export const setup: Setup = {
  files: [HOOKS, TRUST],
  options: [],
  knownEvents,
  wantedEvents: knownEvents,
  installedEvents: ({ [HOOKS]: text = '' }, { hook }) =>
    linesIn(text).flatMap((line) => (line.includes(hook) ? [line.split(' ')[1] ?? ''] : [])),
  plan,
  remove: (file, text, place) =>
    linesIn(text)
      .filter((line) => !isOwn(file, line, place))
      .join(''),
  ownFiles: () => ({ scripts: {}, copies: {} }),
  has: () => [],
  check: async (homes, look) => {
    const said = await look.ask(['hooks', 'list'])
    return homes.map(({ home, texts, ...place }) => {
      const wanted = hooksFor({ ...place, home })
      const there = linesIn(texts[HOOKS] ?? '')
      if (!wanted.every((line) => there.includes(line)))
        return finding.warning(
          'hooks',
          `${look.shown(home)}: it has no hooks of vigil`,
          'vigil install',
        )
      const isTrusted = said === undefined || /^trusted$/m.test(said)
      if (isTrusted) return finding.ok('hooks', `${look.shown(home)}: ${wanted.length} events`)
      return finding.warning('hooks', `${look.shown(home)}: not trusted`, 'vigil install')
    })
  },
}

function knownEvents(version: string | undefined): string[] {
  return version?.startsWith('1.') ? EVENTS : [...EVENTS, ...NEWER]
}

function plan(found: Texts, base: Texts, wish: Wish) {
  const lines = hooksFor(wish)
  const [hooks = '', trust = ''] = [base[HOOKS], base[TRUST]]
  if (/^broken/m.test(trust)) throw new EditRefused(`${wish.home}/${TRUST}: is broken`)
  const texts = {
    [HOOKS]: hooks + lines.join(''),
    [TRUST]: trust + lines.map((line) => `trust ${wish.sha256(line)}\n`).join(''),
  }
  const isSame = texts[HOOKS] === found[HOOKS] && texts[TRUST] === found[TRUST]
  return { texts: isSame ? found : texts, memory: { lines }, warnings: [], inForce: true }
}

function hooksFor({ version, own }: HomeContext): string[] {
  return knownEvents(version).map(
    (event) => `on ${event} run ${own.hook}${event === 'ask' ? ANSWERS : ''}\n`,
  )
}

function isOwn(file: string, line: string, { memory, own, sha256 }: HomeContext): boolean {
  if (file === HOOKS) return line.replace(ANSWERS, '').endsWith(` run ${own.hook}\n`)
  const lines = (memory?.lines ?? []) as readonly string[]
  return lines.some((hook) => line === `trust ${sha256(hook)}\n`)
}

function linesIn(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
