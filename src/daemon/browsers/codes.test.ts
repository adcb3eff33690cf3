import { expect, it } from 'vitest'
import { Codes } from './codes.ts'

const at = (start = 1_000) => {
  const clock = { now: start }
  return { clock, codes: new Codes(() => clock.now) }
}

it('[DR5] a code is 128 bits, and no two are the same', () => {
  const { codes } = at()
  const made = Array.from({ length: 100 }, () => codes.make().code)
  expect(new Set(made).size).toBe(100)
  for (const code of made) expect(code).toMatch(/^[0-9a-f]{32}$/)
})

it('[DR5] a code is good once; who used it is told to who tries it again', () => {
  const { codes } = at()
  const { code } = codes.make()
  expect(codes.use(code, 'first')).toEqual({ ok: true })
  expect(codes.use(code, 'second')).toEqual({ ok: false, usedBy: 'first' })
  expect(codes.use(code, 'third')).toEqual({ ok: false, usedBy: 'first' })
})

it('[DR5] a code is good for two minutes', () => {
  const { clock, codes } = at()
  const [early, late] = [codes.make(), codes.make()]
  expect(early.endsAt).toBe(clock.now + 120_000)
  clock.now += 119_999
  expect(codes.use(early.code, 'a').ok).toBe(true)
  clock.now += 1
  expect(codes.use(late.code, 'b')).toEqual({ ok: false })
  expect(codes.use(early.code, 'c')).toEqual({ ok: false })
})

it('[DR5] five wrong tries take every code away that was there', () => {
  const { codes } = at()
  const first = codes.make()
  for (let tries = 0; tries < 4; tries++) codes.use('wrong', 'x')
  const second = codes.make()
  codes.use('wrong', 'x')
  expect(codes.use(first.code, 'a')).toEqual({ ok: false })
  expect(codes.use(second.code, 'b').ok).toBe(true)
})

it('[DR5] of more than eight codes the oldest is gone', () => {
  const { codes } = at()
  const made = Array.from({ length: 9 }, () => codes.make().code)
  expect(codes.use(made[0] as string, 'a').ok).toBe(false)
  expect(codes.use(made[1] as string, 'b').ok).toBe(true)
})
