import { expect, it } from 'vitest'
import { machineNumber, membersOf, NOW } from '../../../test/support/members.ts'
import { type Invite, newInvite } from '../../fleet/invite.ts'
import { joinRequest, readWelcome } from '../../fleet/joining.ts'
import { newMachineKeys } from '../../fleet/keys.ts'
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
  const answers = new JoinAnswers({
    membership,
    now: () => NOW,
    admit: async (_, { id }) => {
      order.push(`admits ${id}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push(`admitted ${id}`)
    },
    onJoined: (name) => void order.push(name),
  })
  return { membership, invites, answers, order }
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
