import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionWith } from '../../../test/notify/support.ts'
import { cpuMs } from '../../../test/support/cpu.ts'
import { BODY_MAX, TITLE_MAX } from './limits.ts'
import { messageOf } from './message.ts'
import { withoutSecrets } from './secrets.ts'
import { told, visible } from './text.ts'

const LEAVES = { hideSecrets: true }
const STAYS = { hideSecrets: false }
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u

const any = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
)

describe('text of an agent', () => {
  it('[NO10] is one line without anything unseen, of a limited length, whatever it was', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 300 }), fc.boolean(), (text, max, hideSecrets) => {
        const line = told(text, max, { hideSecrets })
        expect(line).not.toMatch(UNSEEN)
        expect([...line].length).toBeLessThanOrEqual(max)
        expect(line.isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('[NO10] a terminal’s sequences are broken, words stay apart, letters whole', () => {
    expect(visible('a\u001b]52;c;aGk=\u0007b\nc\td')).toBe('a ]52;c;aGk= b c d')
    expect(visible('pay\u200bments \u202egnp.exe')).toBe('payments gnp.exe')
    expect(told('🦊🦊🦊', 2, STAYS)).toBe('🦊…')
    expect(visible('⚙️ ok')).toBe('⚙️ ok')
  })

  it('[NO10] a long one costs no more than a short one', () => {
    const texts = ['a'.repeat(5e6), 'password='.repeat(5e5), 'a1/'.repeat(1e6)]
    const ms = cpuMs(() => texts.map((text) => told(text, 100, LEAVES)))
    expect(ms).toBeLessThan(1_000)
  })
})

/** Assembled here, so that no scanner takes this file for a leak. */
const SECRETS: readonly (readonly [string, string])[] = [
  ['an AWS key', `AKIA${'IOSFODNN7EXAMPLE'}`],
  ['an AWS secret', `wJalrXUtnFEMI/K7MDENG/${'bPxRfiCYEXAMPLEKEY'}`],
  ['a GitHub token', `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`],
  ['a fine-grained one', `github_pat_${'11ABCDEFG0abcdefghij_klmnopqrstuv'}`],
  ['a model’s key', `sk-ant-api03-${'AbCdEfGhIjKlMnOp-QrStUvWx'}`],
  ['a Slack token', `xoxb-${'123456789012-abcdefghijkl'}`],
  ['a Google key', `AIza${'SyA1234567890abcdefghijklmnopqrstu'}`],
  ['a JSON web token', `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiIxIn0.c2lnbmF0dXJl'}`],
  ['a hash', 'd8578edf8458ce06fbc5bb76a58c5ca4d8578edf'],
  ['a random word', 'Zk3mQ9x7Lp2vT8wB4nR6yH1c'],
]

describe('what leaves the machine', () => {
  it.each(SECRETS)('[NO12] does not tell %s, wherever it stands', (_, secret) => {
    fc.assert(
      fc.property(any, any, (before, after) => {
        const line = told(`${before.slice(0, 60)} ${secret} ${after.slice(0, 60)}`, 300, LEAVES)
        expect(line).not.toContain(secret)
      }),
    )
    expect(told(`run ${secret} now`, 300, LEAVES)).toMatch(/^run \S*\[hidden\]\S* now$/)
    expect(told(`run ${secret} now`, 300, STAYS)).toContain(secret)
  })

  it.each([
    ['API_KEY=hunter2 npm test', 'hunter2'],
    ['mysql --password hunter2 -e x', 'hunter2'],
    ['{"db_password": "hunter two"}', 'hunter'],
    ['curl -u ada:hunter2 https://x', 'hunter2'],
    ['git clone https://ada:hunter2@host/x', 'hunter2'],
    ['curl -H "Authorization: Bearer hunter2hunter2"', 'hunter2'],
    ['export SSH_PRIVATE_KEY=hunter2', 'hunter2'],
    ['post to https://hooks.slack.com/services/T0/B0/x', 'services'],
    ['-----BEGIN RSA PRIVATE KEY----- MIIE and more of it', 'MIIE'],
  ])('[NO12] does not tell what %s assigns', (text, secret) => {
    expect(told(text, 300, LEAVES)).not.toContain(secret)
  })

  it('[NO12] finds one with something unseen in its middle, or that the limit would cut', () => {
    const [, secret = ''] = SECRETS[2] ?? []
    const split = `${secret.slice(0, 9)}\u200b${secret.slice(9)}`
    expect(told(`x ${split}`, 300, LEAVES)).toBe('x [hidden]')
    expect(told(`${'word '.repeat(10)}${secret}`, 60, LEAVES)).not.toContain(secret.slice(0, 6))
  })

  it('[NO12] finds one that the view would cut', () => {
    const [, secret = ''] = SECRETS[2] ?? []
    const request = { tool: 'Bash', text: `${'word '.repeat(38)}${secret}`, at: 0 }
    const { body } = messageOf('a', 1, [sessionWith({ request })], LEAVES)
    expect(body).not.toContain(secret.slice(0, 6))
  })

  it.each([
    'npm run test:unit -- --watch=false src/components/payment-form.test.ts',
    'git checkout -b feature/very-long-branch-name-for-the-payment-form',
    '/home/ada/projects/a-long-project-name/src/main/java/org/example/Application.java',
    'May I edit src/surfaces/notify/channels/desktop.ts? 12 lines change',
    'docker compose -f docker-compose.production.yml up --detach --remove-orphans',
  ])('[NO12] tells what is none: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text)
  })

  it('[NO12] hides nothing more the second time', () => {
    fc.assert(
      fc.property(any, (text) => {
        const once = withoutSecrets(text)
        expect(withoutSecrets(once)).toBe(once)
      }),
    )
  })
})

describe('a message', () => {
  it('[VW22] names a plan by its title alone', () => {
    const request = {
      tool: 'ExitPlanMode',
      text: '# Cache the **prices**\n\nThey take long.',
      at: 0,
    }
    const { body } = messageOf('a', 1, [sessionWith({ for: 'plan', request })], LEAVES)
    expect(body).toContain('Cache the prices')
    expect(body).not.toContain('They take')
  })

  it('[NO13] names one session by what it asks', () => {
    const session = sessionWith({ branch: 'main' })
    expect(messageOf('a', 1, [session], LEAVES)).toMatchObject({
      title: '◆ payments: waiting for permission',
      body: 'npm test (main)',
      urgent: true,
    })
  })

  it('[NO13] has what the agent said last, and never a prompt', () => {
    const done = { state: 'idle', for: null, after: 'work', request: null } as const
    const said = sessionWith({ ...done, prompt: 'my secret plan', reply: 'All 12 pass.' })
    expect(messageOf('a', 1, [said], LEAVES).body).toBe('All 12 pass.')
    const { body } = messageOf('a', 1, [{ ...said, reply: null }], LEAVES)
    expect(body).not.toContain('secret plan')
  })

  it('[NO13] counts several and names the neediest', () => {
    const many = Array.from({ length: 12 }, (_, n) =>
      sessionWith({ id: `s${n}`, title: `p${n}`, since: 100 - n, state: n < 8 ? 'idle' : 'error' }),
    )
    const { title, body } = messageOf('a', 1, many, LEAVES)
    expect(title).toBe('vigil: 12 sessions need you')
    expect(body).toMatch(/^✗ p11, ✗ p10, ✗ p9, ✗ p8, ✓ p7, and 7 more$/)
  })

  it('[NO10][NO12] is harmless and within its limits, whatever an agent is called', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 8 }), (names) => {
        const sessions = names.map((name, n) =>
          sessionWith({
            id: `${n}${name}`,
            title: name,
            branch: name,
            project: name,
            reason: name,
          }),
        )
        const { title, body, sessions: about } = messageOf('a', 1, sessions, LEAVES)
        expect([...title].length).toBeLessThanOrEqual(TITLE_MAX)
        expect([...body].length).toBeLessThanOrEqual(BODY_MAX)
        for (const text of [title, body, ...about.map((one) => `${one.id} ${one.project}`)])
          expect(text).not.toMatch(UNSEEN)
      }),
    )
  })
})
