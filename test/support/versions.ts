import { NEWEST, TESTED } from '../../lab/clients.ts'

/** The clients that this run tests: the newest in `npm test`, the others in `npm run verify`. */
export const VERSIONS =
  process.env.VIGIL_VERIFY === '1' ? TESTED.filter((version) => version !== NEWEST) : [NEWEST]
