/** The machine that tests are on, and another. */
export const OWN_MACHINE = `m${'a1'.repeat(12)}`
export const OTHER_MACHINE = `m${'b2'.repeat(12)}`
