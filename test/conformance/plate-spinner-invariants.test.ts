import { describe, expect, it } from 'vitest'
import { type PlateStatus, plateStatus } from '../../src/core/vocabulary/plate-spinner.ts'
import { Scene } from '../support/scene.ts'

const status = (scene: Scene) => plateStatus(scene.verdict())
const running = () => new Scene().start().wait(1_000).prompt().wait(5_000)

const ATTENTION = [
  ['AwaitingInput', 'AskUserQuestion', 'input needed'],
  ['AwaitingApproval', 'ExitPlanMode', 'permission prompt'],
] as const satisfies readonly (readonly [PlateStatus, string, string])[]

describe('plate-spinner: bounded recovery without a word from the client', () => {
  it.each(ATTENTION)('[SP15] %s is left by output more than 2 s past it', (from, tool) => {
    const at2s = running().tool(tool).wait(2_000).said('Going on.', null)
    expect(status(at2s)).toBe(from)
    const past2s = running().tool(tool).wait(2_001).said('Going on.', null)
    expect(status(past2s)).toBe('Running')
  })

  it.each(ATTENTION)('[SP9] [SP10] [SP15] %s → Idle where the turn ended', (from, tool) => {
    const scene = running().tool(tool).wait(2_001)
    expect(status(scene)).toBe(from)
    expect(status(scene.said('All done.'))).toBe('Idle')
  })

  it('[SP11] [SP15] Error is left by an end more than 2 s past it', () => {
    const failed = () => running().hook('StopFailure', { error: 'overloaded' })
    expect(status(failed().wait(2_000).said('Back.'))).toBe('Error')
    expect(status(failed().wait(2_001).said('Back.'))).toBe('Idle')
  })

  it.each(ATTENTION)('[SP15] %s stays for as long as nothing moves on', (from, tool) => {
    expect(status(running().tool(tool).wait(86_400_000))).toBe(from)
  })
})

describe('plate-spinner: bounded recovery from a word that is stuck', () => {
  it.each(ATTENTION)('[SP15] %s, word stuck on waiting: left after 12 s', (from, tool, word) => {
    const scene = running().tool(tool).registry('waiting', word).wait(2_001).said('All done.')
    expect(scene.nextLook()).toBe(scene.now + 12_000)
    expect(status(scene.wait(11_999))).toBe(from)
    expect(status(scene.wait(1))).toBe('Idle')
  })

  it.each(ATTENTION)('[SP15] %s, word on waiting: 2 s is no progress', (from, tool, word) => {
    const scene = running().tool(tool).registry('waiting', word).wait(2_000).said('Hm.', null)
    expect(status(scene.wait(60_000))).toBe(from)
  })

  it('[SP15] a word stuck on busy hides the end of a turn for 12 s and no longer', () => {
    const scene = running().registry('busy').wait(1_000).stop()
    expect(scene.nextLook()).toBe(scene.now + 12_000)
    expect(status(scene.wait(11_999))).toBe('Running')
    expect(status(scene.wait(1))).toBe('Idle')
  })

  it('[SP15] a word stuck on busy hides an error for 12 s and no longer', () => {
    const scene = running()
      .registry('busy')
      .wait(1_000)
      .hook('StopFailure', { error: 'overloaded' })
    expect(status(scene.wait(11_999))).toBe('Running')
    expect(status(scene.wait(1))).toBe('Error')
  })

  it('[SP15] a newer word starts the 12 s anew, since the client is heard from', () => {
    const scene = running().registry('busy').wait(1_000).stop().wait(6_000).registry('busy')
    expect(status(scene.wait(60_000))).toBe('Running')
    expect(status(scene.registry('idle'))).toBe('Idle')
  })
})
