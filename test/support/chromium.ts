/** The browser that tests drive. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** No network access, and no window. */
export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]
