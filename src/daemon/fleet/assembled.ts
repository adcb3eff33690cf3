import type { RemoteFeed } from '../../client/surface-context.ts'
import { readAddress } from '../../protocol/address.ts'
import type { Engine } from '../engine.ts'
import { Paced } from './paced.ts'
import { type FleetParts, FleetService } from './service.ts'

/** A reader gets all machines, of which there may be thousands. */
const MACHINES_APART_MS = 100

export function fleetOf(
  parts: Omit<FleetParts, 'machine' | 'own' | 'now' | 'onRemoteRows' | 'onMachine'> & {
    readonly engine: Engine
  },
): FleetService {
  const { engine } = parts
  const { list } = engine
  const machines = new Paced(() => engine.machines.emit(), MACHINES_APART_MS)
  return new FleetService({
    ...parts,
    machine: engine.machine,
    own: {
      ids: () => list.ids(),
      row: (id) => list.row(id),
      onChange: (listener) => list.changes.onChange(listener),
    },
    now: Date.now,
    onRemoteRows: (addresses) => list.changes.touch(addresses),
    onMachine: () => machines.ask(),
  })
}

/** SPEC FL92. Rows of other machines, for surfaces that act by themselves. */
export function remoteFeedOf(fleet: FleetService, { list }: Engine): RemoteFeed {
  return {
    rows: () => fleet.rows(),
    onRow: (listener) =>
      list.changes.onChange(({ id }) => {
        const { machine, session } = readAddress(id)
        if (machine === undefined) return
        const row = list.row(id)
        listener(row ? { kind: 'session', session: row } : { kind: 'gone', machine, session })
      }),
  }
}
