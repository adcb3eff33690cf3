import type { OpenRequest } from '../protocol/request.ts'
import { Problem } from './problem.ts'
import type { Requests } from './requests/shapes.ts'
import type { Watching } from './watching.ts'

/** What a daemon has in place of the machine when all it shows is a recording. */

/** SPEC IN30. Nothing of the machine is watched. */
export const NOTHING_WATCHED: Pick<Watching, 'homes' | 'start' | 'stop'> = {
  homes: [],
  start: async () => {},
  stop: async () => {},
}

const RECORDED = 'this is a recording: nobody is there to hear an answer'

/** SPEC IN32. What was asked can be read, and not be answered. */
export function unanswerable(requests: Requests): Requests {
  const shown = (request: OpenRequest): OpenRequest => {
    return { ...request, answerable: false, why: RECORDED }
  }
  return {
    list: (filter) => requests.list(filter).map(shown),
    find: (id) => {
      const found = requests.find(id)
      return found && shown(found)
    },
    answer: (id) => {
      throw new Problem(requests.find(id) ? 409 : 404, RECORDED)
    },
    outcome: () => ({ act: 'nothing' }),
    asksOf: () => [],
    onAsks: () => () => {},
  }
}
