/** The browser that tests drive. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Nothing of it goes out to the net, and no window of it is seen. */
export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]
