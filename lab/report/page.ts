import { readFileSync } from 'node:fs'
import { percent, type ScoreSum } from '../../src/recording/meter.ts'
import { quantile } from '../score/delays.ts'
import type { Figures, Result } from '../score/result.ts'
import type { SumFigures, Sums } from '../score/sums.ts'
import { escaped } from './markup.ts'
import { disputeWords, ghostWords, isWrong, sumNotes, worstFirst, wrongIn } from './order.ts'
import { timelineOf } from './timeline.ts'
import { msText, percentText, secondsText } from './words.ts'

const STYLE = new URL('page.css', import.meta.url)

/** Of one run, in words; the timeline has them all. */
const WRONG_LINES_MAX = 8

/** One self-contained page. `about` is one sentence: what was run, and when. */
export function pageOf(results: readonly Result[], sums: Sums, about: string): string {
  const bad = results.filter((result) => isBad(result)).length
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>vigil lab</title>
<style>
${readFileSync(STYLE, 'utf8')}</style>
<body>
<h1>vigil lab</h1>
<p class="soft">${escaped(about)}</p>
${tilesOf(sums)}
${tableOf(sums)}
<h2>Runs</h2>
${LEGEND}
<fieldset>
<label><input type="radio" name="runs" checked> all ${results.length}</label>
<label><input type="radio" name="runs" id="only-wrong"> wrong or failed: ${bad}</label>
</fieldset>
<main>
${worstFirst(results).map(articleOf).join('\n')}
</main>
</body>
</html>
`
}

function isBad(result: Result): boolean {
  return isWrong(result) || result.failed !== undefined
}

/** The daemon's figure if one ran, with the core's below it. */
function tilesOf({ core, live }: Sums): string {
  const main = live ?? core
  if (!main) return ''
  const tile = (title: string, value: (sum: SumFigures) => string) => {
    const beside = live && core ? `<small>core ${value(core)}</small>` : ''
    return `<div><dt>${title}</dt><dd>${value(main)}${beside}</dd></div>`
  }
  return [
    '<dl class="tiles">',
    tile('right', (sum) => `${percentText(sum.rightPercent)} %`),
    tile('balanced', (sum) => `${percentText(sum.balancedPercent)} %`),
    tile('longest wrong', (sum) => msText(sum.worstMs)),
    tile('ends right', (sum) => `${sum.finalRight} of ${sum.runs}`),
    tile('median delay', (sum) => msText(sum.delayMedianMs)),
    tile('99 % of delays within', (sum) => msText(sum.delayP99Ms)),
    '</dl>',
  ].join('\n')
}

function tableOf(sums: Sums): string {
  const { core, live, without } = sums
  const heads = ['', 'right %', 'balanced %', 'longest wrong', 'in', 'ends right', 'kind %']
  const row = (label: string, sum: ScoreSum, all: boolean) => {
    const cells = [
      percentText(sum.rightPercent),
      percentText(sum.balancedPercent),
      msText(sum.worstMs),
      escaped(sum.worstIn ?? ''),
      `${sum.finalRight} of ${sum.runs}`,
      percentText(sum.kindPercent, 1),
    ].map((cell) => `<td>${cell}</td>`)
    return `<tr${all ? ' class="all"' : ''}><th scope="row">${label}</th>${cells.join('')}</tr>`
  }
  const rows = [
    ...(live ? [row('live', live, true)] : []),
    ...(core ? [row('core, all sources', core, true)] : []),
    ...Object.entries(without).map(([names, sum]) =>
      row(`core without ${names.replace(',', ' and ')}`, sum, false),
    ),
  ]
  return [
    '<div class="scroll"><table>',
    `<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody>`,
    '</table></div>',
    ...sumNotes(sums).map((note) => `<p class="soft">${note}</p>`),
  ].join('\n')
}

const LEGEND = `<p class="soft">Truth is the client’s own word, below it what vigil said: the core,
played from the recording, and live, the daemon that watched. Left out of every figure are 0.3 s
after each true change. Point at a block for its reason.</p>
<ul class="legend">
${['working', 'background', 'waiting', 'idle', 'error', 'stuck', 'closed', 'starting', 'unknown']
  .map((state) => `<li class="${state}">${state}</li>`)
  .join('\n')}
<li><i></i>wrong</li>
<li><i class="tick"></i>the user did something</li>
<li><i class="gone"></i>the daemon was killed: not counted</li>
</ul>`

function articleOf(result: Result): string {
  const { name, shows, failed, clients, beginAt, truthFrom, core } = result
  const wrong = wrongIn(clients)
  const told = wrong.slice(0, WRONG_LINES_MAX).map(({ who, from, to, truth, said, rule }) => {
    const by = rule === '' ? '' : ` (${rule})`
    const when = `${secondsText(from - beginAt)}, for ${msText(to - from)}`
    return `<li>${escaped(`${who} at ${when}: it was ${truth}, said ${said}${by}`)}</li>`
  })
  const more = wrong.length - told.length
  if (more > 0) told.push(`<li>and ${more} more</li>`)
  const others = [...ghostWords(result), ...disputeWords(result)]
  told.push(...others.map((words) => `<li>${escaped(words)}</li>`))
  const screen =
    core && truthFrom === 'screen' ? ' <em>What was true is read off its screen.</em>' : ''
  return [
    `<article${isBad(result) ? ' class="bad"' : ''}>`,
    `<header><h3>${escaped(name)}</h3><p>${figuresText(result)}</p></header>`,
    `<p>${escaped(shows)}${screen}</p>`,
    core ? timelineOf(result) : '<p class="soft">Nothing tells what was true.</p>',
    ...(told.length > 0 ? [`<ul>${told.join('\n')}</ul>`] : []),
    ...(failed === undefined ? [] : [`<pre>${escaped(failed)}</pre>`]),
    '</article>',
  ].join('\n')
}

function figuresText({ core, live }: Result): string {
  const words = (who: string, figures: Figures | undefined) => {
    if (!figures) return []
    const { score, delays } = figures
    const right = percentText(percent(score.rightMs, score.totalMs))
    const delay = quantile(delays.ms, 0.5)
    const ends = score.finalRight ? '' : `, ends wrong (${escaped(score.final)})`
    const late = delay === undefined ? '' : `, delay ${msText(delay)}`
    return [`${who} ${right} %${late}${ends}`]
  }
  return [...words('core', core), ...words('live', live)].join(' · ')
}
