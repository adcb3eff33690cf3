import { NEWEST, TESTED } from '../../lab/clients.ts'
import { IS_VERIFY } from './is-verify.ts'

/** The clients that this run tests: the newest in `npm test`, the others in `npm run verify`. */
export const VERSIONS = IS_VERIFY ? TESTED.filter((version) => version !== NEWEST) : [NEWEST]
