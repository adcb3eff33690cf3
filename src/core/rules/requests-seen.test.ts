import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../../test/support/scene.ts'

const working = () => new Scene({ pane: '%1' }).start().wait(1_000).prompt().wait(1_000)
/** Asked a moment ago: the waits of each test count from here. */
const asking = () => working().tool('Bash').wait(500).asks('Bash')
const WAITS = 'waiting:permission'

describe("the client's word that it no longer waits", () => {
  const waited = () => asking().registry('waiting', 'permission prompt').wait(2_000)

  it('[W6] closes every request there is', () => {
    expect(waited().state()).toBe(WAITS)
    expect(waited().registry('busy').state()).toBe('working')
    expect(asking().wait(500).asks('Write').wait(1_000).registry('busy').state()).toBe('working')
  })

  it.each([
    [399, 'working'],
    [400, WAITS],
  ])('[W6] a request told %i ms after it: %s', (late, state) => {
    // A slow hook: the user answered the dialog before the hook was written.
    const scene = working().registry('waiting', 'permission prompt').wait(2_000).registry('busy')
    expect(scene.wait(late).asks('Bash').state()).toBe(state)
  })

  it('[W6] a word older than the request says nothing about it', () => {
    expect(asking().wait(1_000).registry('busy', undefined, 1_500).state()).toBe(WAITS)
  })

  it('[W6] nor does a status not known', () => {
    expect(asking().wait(1_000).registry('dreaming').state()).toBe(WAITS)
  })
})

describe('a screen', () => {
  it('[W7] with input line and spinner again closes the request', () => {
    const scene = asking().wait(300).screen(screens.permission()).wait(2_000)
    expect(scene.state()).toBe(WAITS)
    const spinner = scene.screen(screens.working('Running… (3s)'))
    expect(spinner.verdict()).toMatchObject({ state: 'working', doing: { tool: 'Bash' } })
  })

  it.each([
    [600, WAITS],
    [601, 'working'],
  ])('[W7] a spinner %i ms after it: %s', (late, state) => {
    expect(asking().wait(late).screen(screens.working()).state()).toBe(state)
  })

  it('[W7] a dialog scrolled out of sight does not close it', () => {
    expect(asking().wait(2_000).screen('only\nold\noutput\n').state()).toBe(WAITS)
  })
})

describe('a status line', () => {
  it.each([
    [320, WAITS],
    [999, WAITS],
    [1_000, 'working'],
    [1_001, 'working'],
  ])('[W8] drawn %i ms after the request opened: %s', (late, state) => {
    expect(asking().wait(late).statusline().state()).toBe(state)
  })

  it('[W8] drawn before the request says nothing about it', () => {
    const scene = working().statusline().wait(500).tool('Bash').asks('Bash')
    expect(scene.wait(60_000).state()).toBe(WAITS)
  })
})
