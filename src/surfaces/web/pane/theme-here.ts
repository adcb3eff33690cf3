import type { TerminalTheme } from './news.ts'

/** The page's present colours, because a frame inherits none of them. */
export function themeHere(): TerminalTheme {
  const style = getComputedStyle(document.documentElement)
  const chosen = document.documentElement.dataset.theme
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const dark = (chosen ?? system) === 'dark'
  const colour = (name: string) => resolved(style.getPropertyValue(name).trim(), dark)
  return {
    dark,
    ground: colour('--surface'),
    ink: colour('--ink'),
    accent: colour('--accent'),
    font: style.getPropertyValue('--mono').trim(),
  }
}

/** The style gives `light-dark(#fff, #000)` unresolved. */
function resolved(value: string, dark: boolean): string {
  const [, light, other] = /^light-dark\(\s*([^,]+),\s*([^)]+)\)$/.exec(value) ?? []
  return (dark ? other : light)?.trim() ?? value
}
