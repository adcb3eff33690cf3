import type { Truth } from '../../src/agents/truth-reader.ts'
import type { Told } from '../score/live.ts'
import type { Client, Result, Speaker } from '../score/result.ts'
import { escaped } from './markup.ts'
import { msText, secondsText, stateText } from './words.ts'

/** Heights in pixels: a lane, and the strip under it that shows where it was wrong. */
const LANE = 20
const STRIP = 6

/** As many marks on the axis as a narrow screen has room for. */
const MARKS_MAX = 8
const STEPS_S = [1, 2, 5, 10, 20, 60, 120, 300]

/** How many verdicts of one block the tooltip lists. */
const REASONS_MAX = 6

/** Truth and verdicts of a run one above the other, on one axis of time. */
export function timelineOf(result: Result): string {
  const { clients, actions } = result
  const scale = scaleOf(result)
  const several = clients.length > 1
  const rows = clients.flatMap((client, index) => {
    const name = several ? ` ${index + 1}` : ''
    return [
      laneOf(scale, `truth${name}`, truthBlocks(client), ''),
      ...client.speakers.map((speaker) => speakerLane(scale, speaker, name)),
    ]
  })
  return [
    '<div class="timeline">',
    actionsLane(scale, actions),
    ...rows,
    axisOf(scale),
    '</div>',
  ].join('\n')
}

interface Scale {
  readonly from: number
  readonly to: number
  /** A moment as a share of the width. */
  readonly x: (t: number) => string
  readonly width: (from: number, to: number) => string
  readonly time: (t: number) => string
}

/** To the last line; further if something was wrong later. */
function scaleOf({ beginAt, endAt, clients }: Result): Scale {
  const wrong = clients.flatMap(({ speakers }) => speakers.flatMap((speaker) => speaker.wrong))
  const to = Math.max(endAt, ...wrong.map((stretch) => stretch.to), beginAt + 1)
  const share = (ms: number) => `${((100 * ms) / (to - beginAt)).toFixed(3)}%`
  const clamp = (t: number) => Math.min(Math.max(t, beginAt), to)
  return {
    from: beginAt,
    to,
    x: (t) => share(clamp(t) - beginAt),
    width: (from, until) => share(clamp(until) - clamp(from)),
    time: (t) => secondsText(t - beginAt),
  }
}

interface Block {
  readonly from: number
  readonly state: string
  readonly words: string
  /** The reasons, each with its time. */
  readonly reasons: readonly { readonly t: number; readonly why: string }[]
}

function truthBlocks({ truths }: Client): Block[] {
  return truths.map((truth: Truth) => ({
    from: truth.t,
    state: truth.state,
    words: stateText(truth),
    reasons: [],
  }))
}

/** Verdicts that differ in their reasons alone are one block. */
function toldBlocks(told: readonly Told[]): Block[] {
  const blocks: Block[] = []
  for (const { t, verdict } of told) {
    const why = [verdict.rule, verdict.reason].filter(Boolean).join(': ')
    const words = stateText(verdict)
    const last = blocks.at(-1)
    if (last?.words === words)
      blocks[blocks.length - 1] = { ...last, reasons: [...last.reasons, { t, why }] }
    else blocks.push({ from: t, state: verdict.state, words, reasons: [{ t, why }] })
  }
  return blocks
}

function laneOf(scale: Scale, who: string, blocks: readonly Block[], more: string): string {
  const drawn = blocks.map((block, index) =>
    blockOf(scale, block, blocks[index + 1]?.from ?? scale.to),
  )
  const spoken = blocks.map(({ from, words }) => `${words} from ${scale.time(from)}`).join(', ')
  const height = LANE + STRIP
  return [
    `<span>${who}</span>`,
    `<svg class="lane" role="img" height="${height}" aria-label="${escaped(`${who}: ${spoken}`)}">`,
    ...drawn,
    more,
    '</svg>',
  ].join('')
}

/** An svg in an svg cuts its words off where the block ends. */
function blockOf(scale: Scale, { from, state, words, reasons }: Block, to: number): string {
  if (to <= from || from >= scale.to || to <= scale.from) return ''
  const shown = reasons.slice(0, REASONS_MAX).map(({ t, why }) => `${scale.time(t)} ${why}`)
  const more = reasons.length > REASONS_MAX ? [`… and ${reasons.length - REASONS_MAX} more`] : []
  const title = [
    `${words}: ${scale.time(from)} – ${scale.time(to)} (${msText(to - from)})`,
    ...shown,
    ...more,
  ].join('\n')
  return [
    `<svg class="${escaped(state)}" x="${scale.x(from)}" width="${scale.width(from, to)}"`,
    ` height="${LANE}"><title>${escaped(title)}</title><rect width="100%" height="100%"/>`,
    `<line y2="${LANE}"/><text x="6" y="14">${escaped(words)}</text></svg>`,
  ].join('')
}

function speakerLane(scale: Scale, speaker: Speaker, name: string): string {
  const { who, told, wrong, away } = speaker
  const strips = wrong.map(({ from, to, truth, said }) => {
    const words = said ? stateText(said.verdict) : 'nothing'
    const what = `wrong for ${msText(to - from)}: it was ${stateText(truth)}, said ${words}`
    const title = `${what}\n${scale.time(from)} – ${scale.time(to)}`
    return stripOf(scale, 'wrong', from, to, title, LANE + 1, STRIP - 1)
  })
  const gone = away.map(({ from, to }) =>
    stripOf(scale, 'away', from, to, 'the daemon was killed here: not counted', 0, LANE),
  )
  return laneOf(scale, `${who}${name}`, toldBlocks(told), [...gone, ...strips].join(''))
}

function stripOf(
  scale: Scale,
  kind: string,
  from: number,
  to: number,
  title: string,
  y: number,
  height: number,
): string {
  const place = `x="${scale.x(from)}" width="${scale.width(from, to)}" y="${y}" height="${height}"`
  return `<rect class="${kind}" ${place}><title>${escaped(title)}</title></rect>`
}

/** Each tick has its label if there is room before the next. */
function actionsLane(scale: Scale, actions: Result['actions']): string {
  const ticks = actions.map(({ t, words }, index) => {
    const next = actions[index + 1]?.t ?? scale.to
    const short = words.replace(/^(launch|submit|text|key|kill) /, '')
    const title = `<title>${escaped(`${scale.time(t)} ${words}`)}</title>`
    const place = `x="${scale.x(t)}" width="${scale.width(t, next)}" height="18"`
    return [
      `<svg ${place}>${title}<rect width="100%" height="100%"/>`,
      `<line x1="1" x2="1" y1="3" y2="18"/><text x="5" y="13">${escaped(short)}</text></svg>`,
    ].join('')
  })
  const spoken = actions.map(({ t, words }) => `${scale.time(t)} ${words}`).join(', ')
  const label = escaped(`what the user did: ${spoken}`)
  return [
    `<span>user</span><svg class="acts" role="img" height="20" aria-label="${label}">`,
    ...ticks,
    '</svg>',
  ].join('')
}

function axisOf({ from, to, x }: Scale): string {
  const seconds = (to - from) / 1000
  const step = STEPS_S.find((size) => seconds / size <= MARKS_MAX) ?? seconds
  const marks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => {
    const at = x(from + index * step * 1000)
    const last = index * step > 0.95 * seconds
    const anchor = index === 0 ? 'start' : last ? 'end' : 'middle'
    const words = `<text x="${at}" y="16" text-anchor="${anchor}">${index * step} s</text>`
    return `<line x1="${at}" x2="${at}" y2="4"/>${words}`
  })
  return `<span></span><svg class="axis" height="18" aria-hidden="true">${marks.join('')}</svg>`
}
