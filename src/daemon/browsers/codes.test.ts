import { expect, it } from 'vitest'
import { Codes } from './codes.ts'

const HERE = 'http://here.localhost:4711'

const at = (start = 1_000) => {
  const clock = { now: start }
  return { clock, codes: new Codes(() => clock.now) }
}

it('[DR5] a code is 128 bits, and no two are the same', () => {
  const { codes } = at()
  const made = Array.from({ length: 100 }, () => codes.make(HERE).code)
  expect(new Set(made).size).toBe(100)
  for (const code of made) expect(code).toMatch(/^[0-9a-f]{32}$/)
})

it('[DR5] a code is good once; a second use names the browser that used it', () => {
  const { codes } = at()
  const { code } = codes.make(HERE)
  expect(codes.use(code, 'first', HERE)).toEqual({ ok: true })
  expect(codes.use(code, 'second', HERE)).toEqual({ ok: false, usedBy: 'first' })
  expect(codes.use(code, 'third', HERE)).toEqual({ ok: false, usedBy: 'first' })
})

it('[DR5] a code is good for two minutes', () => {
  const { clock, codes } = at()
  const [early, late] = [codes.make(HERE), codes.make(HERE)]
  expect(early.endsAt).toBe(clock.now + 120_000)
  clock.now += 119_999
  expect(codes.use(early.code, 'a', HERE).ok).toBe(true)
  clock.now += 1
  expect(codes.use(late.code, 'b', HERE)).toEqual({ ok: false })
  expect(codes.use(early.code, 'c', HERE)).toEqual({ ok: false })
})

it('[DR5] five wrong tries take every code away that was there', () => {
  const { codes } = at()
  const first = codes.make(HERE)
  for (let tries = 0; tries < 4; tries++) codes.use('wrong', 'x', HERE)
  const second = codes.make(HERE)
  codes.use('wrong', 'x', HERE)
  expect(codes.use(first.code, 'a', HERE)).toEqual({ ok: false })
  expect(codes.use(second.code, 'b', HERE).ok).toBe(true)
})

it('[DR5] of more than eight codes the oldest is gone', () => {
  const { codes } = at()
  const made = Array.from({ length: 9 }, () => codes.make(HERE).code)
  expect(codes.use(made[0] as string, 'a', HERE).ok).toBe(false)
  expect(codes.use(made[1] as string, 'b', HERE).ok).toBe(true)
})

it('[OC6] a code under another address than its own is refused, and stays good', () => {
  const { codes } = at()
  const { code } = codes.make(HERE)
  for (let tries = 0; tries < 9; tries++)
    expect(codes.use(code, 'x', 'http://there.localhost:4711')).toEqual({ ok: false })
  expect(codes.use(code, 'a', HERE)).toEqual({ ok: true })
  expect(codes.use(code, 'x', 'http://there.localhost:4711')).toEqual({ ok: false })
})
