/** Whether this is the part of `npm run verify` that `npm test` leaves out. */
export const IS_VERIFY = process.env.VIGIL_VERIFY === '1'
