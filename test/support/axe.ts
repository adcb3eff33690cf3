import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * What axe finds, by rule and place; the debugger injects its script in spite of the page's policy.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axe, 'utf8'))
  return await page.evaluate(async () => {
    interface Found {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
    }
    const { axe: found } = window as unknown as { axe: { run(): Promise<Found> } }
    const { violations: all } = await found.run()
    return all.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
    )
  })
}
