export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const NAME = 'vigil.theme'

export function storedTheme(): Theme {
  const kept = localStorage.getItem(NAME)
  return THEMES.find((theme) => theme === kept) ?? 'auto'
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(NAME, theme)
  showTheme()
}

/** The system's theme, unless the user chose one here. */
export function showTheme(): void {
  const theme = storedTheme()
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
