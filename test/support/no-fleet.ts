import type { Fleet } from '../../src/daemon/daemon-api.ts'

/** A machine that belongs to no fleet. */
export function noFleet(): Fleet {
  const refuse = async () => {
    throw new Error('this machine belongs to no fleet')
  }
  return {
    rows: () => [],
    machines: () => [],
    knows: () => false,
    aheadMs: () => 0,
    forward: refuse,
    view: () => ({ fleet: null, founder: false, server: null, machines: [], troubles: [] }),
    permissions: refuse,
    serve: refuse,
    invite: refuse,
    join: refuse,
    allow: () => {},
    remove: refuse,
    leave: async () => {},
  }
}
