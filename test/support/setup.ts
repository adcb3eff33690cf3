import fc from 'fast-check'

/** One seed for every property, so that CI is the same each time; VIGIL_SEED=n tries another. */
fc.configureGlobal({ seed: Number(process.env.VIGIL_SEED ?? 2026) })
