import { summaryOfAll } from '../../../view/summary.ts'
import type { PageState } from '../model/state.ts'
import { iconOf, titleOf } from './tab-sign.ts'

let shown = ''

/** The tab's title and icon; written only when they change. */
export function showOnTab({ sessions, lostSince }: PageState): void {
  const { waiting } = summaryOfAll(sessions)
  const lost = lostSince !== null
  const title = titleOf(waiting, lost)
  if (title === shown) return
  shown = title
  document.title = title
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link) link.href = iconOf(waiting, lost)
}
