import { expect, it } from 'vitest'
import { machineNumber, membersOf, NOW } from '../../../test/support/members.ts'
import { type Invite, newInvite } from '../../fleet/invite.ts'
import { joinRequest, readWelcome } from '../../fleet/joining.ts'
import { newMachineKeys } from '../../fleet/keys.ts'
import { TransportError, type TransportFault } from '../../fleet/transport.ts'
import { invitePassword, JoinAnswers, refusalIn } from './invites.ts'

function founderWith(count: number) {
  const [founder] = membersOf(1)
  if (!founder) throw new Error('no founder')
  const { membership } = founder
  const { fleet, founderKey } = membership.state
  const terms = { fleet, urls: ['nats://a:4222'], tls: null, lookOnly: false }
  const invites = Array.from({ length: count }, () =>
    newInvite({ ...terms, expiresAt: NOW + 1_000 }, founderKey),
  )
  membership.change({ invites })
  const order: string[] = []
  const heard = new Set<string>()
  const fails: TransportFault[] = []
  const answers = new JoinAnswers({
    membership,
    now: () => NOW,
    admit: async (_, { id }) => {
      order.push(`admits ${id}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      const fault = fails.shift()
      if (fault) throw new TransportError(fault, `It is ${fault}.`)
      order.push(`admitted ${id}`)
    },
    withdraw: async (bytes) => {
      order.push(`withdraws ${membership.state.roster === bytes.toString('base64url')}`)
      throw new Error('the bucket is full still')
    },
    isHeard: (machine) => heard.has(machine),
    onJoined: (name) => void order.push(name),
  })
  return { membership, invites, answers, order, heard, fails }
}

function machineWith(n: number, invite: Invite) {
  const keys = newMachineKeys()
  const self = { machine: machineNumber(n), name: 'box', version: '0.7.0' }
  return { keys, self, request: joinRequest(invite, self, keys) }
}

it('[FL145] an invitation admits one machine, and a second is refused with why', async () => {
  const { membership, invites, answers } = founderWith(1)
  const [invite] = invites as [Invite]
  const [first, second] = [machineWith(2, invite), machineWith(3, invite)]
  const [welcomed, refused] = await Promise.all([
    answers.serve(invite.id, first.request),
    answers.serve(invite.id, second.request),
  ])
  expect(refusalIn(welcomed)).toBeUndefined()
  expect(readWelcome(welcomed, invite, first.self.machine, first.keys).roster.members).toHaveLength(
    2,
  )
  expect(refusalIn(refused)).toContain('was used or withdrawn')
  expect(membership.roster.members.map(({ machine }) => machine)).not.toContain(machineNumber(3))
  expect(membership.state.invites).toEqual([])
})

it('[FL145] machines are admitted one at a time, and each is in the last roster', async () => {
  const { membership, invites, answers, order } = founderWith(3)
  await Promise.all(
    invites.map((invite, at) => answers.serve(invite.id, machineWith(at + 2, invite).request)),
  )
  expect(membership.roster.members).toHaveLength(4)
  expect(order).toEqual(
    invites.flatMap(({ id }, at) => [
      `admits ${id}`,
      `admitted ${id}`,
      membership.nameOf(machineNumber(at + 2)),
    ]),
  )
})

it('[FL145] the server’s password of an invitation does not give its secret away', () => {
  const { invites } = founderWith(2)
  const [one, two] = invites.map(({ secret }) => invitePassword(secret))
  expect(one).toMatch(/^[\w-]{43}$/)
  expect(one).not.toBe(two)
  expect(one).not.toContain(invites[0]?.secret)
})

it('[FL204] a machine whose admission cannot be stored is no member, its line good', async () => {
  const { membership, invites, answers, order, fails } = founderWith(1)
  const [invite] = invites as [Invite]
  const before = membership.roster
  fails.push('full')
  const refused = await answers.serve(invite.id, machineWith(2, invite).request)
  expect(refusalIn(refused)).toMatch(/It is full.*with the same line/)
  // A list that was published before has a lower number.
  expect(membership.roster).toEqual({ ...before, rev: before.rev + 2 })
  expect(order).toEqual([`admits ${invite.id}`, 'withdraws true'])
  const again = machineWith(2, invite)
  const welcomed = await answers.serve(invite.id, again.request)
  const { roster } = readWelcome(welcomed, invite, again.self.machine, again.keys)
  expect([roster.members.length, roster.epoch]).toEqual([2, before.epoch])
  expect(membership.state.invites).toEqual([])
})

it('[FL205] a machine that was admitted and never heard from replaces itself', async () => {
  const { membership, invites, answers, heard, fails } = founderWith(4)
  const [lost, second, third, fourth] = invites as [Invite, Invite, Invite, Invite]
  const { epoch } = membership.roster
  fails.push('late')
  const late = await answers.serve(lost.id, machineWith(2, lost).request)
  expect(refusalIn(late)).toMatch(/may not be stored.*vigil fleet invite/)
  expect(membership.state.invites.map(({ id }) => id)).not.toContain(lost.id)
  const again = machineWith(2, second)
  const welcomed = await answers.serve(second.id, again.request)
  const { roster } = readWelcome(welcomed, second, again.self.machine, again.keys)
  expect([roster.members.length, roster.epoch]).toEqual([2, epoch + 1])
  heard.add(again.self.machine)
  const taken = await answers.serve(third.id, machineWith(2, third).request)
  expect(refusalIn(taken)).toContain('in the fleet already')
  // Another daemon of the founder has not admitted it.
  const restarted = new JoinAnswers({
    ...{ membership, now: () => NOW, isHeard: () => false, onJoined: () => {} },
    ...{ admit: async () => {}, withdraw: async () => {} },
  })
  const refused = await restarted.serve(fourth.id, machineWith(2, fourth).request)
  expect(refusalIn(refused)).toContain('in the fleet already')
})
