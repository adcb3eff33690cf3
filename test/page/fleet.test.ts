import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FleetMachine, FleetMachines } from '../fleet/machines.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'
import { noNats } from '../support/nats.ts'
import { describeUnless } from '../support/needs.ts'
import { asks, BUILD, PageFleet, stop } from '../support/page-fleet.ts'
import { choose, PageStage, PHONE, passes } from '../support/page-stage.ts'
import { structureOf } from '../support/structure.ts'

const VERSION = '2.15.1'

/** The machine whose page is open. */
class Desk extends FleetMachine {
  readonly #stage: PageStage

  constructor(stage: PageStage) {
    super(stage.home)
    this.#stage = stage
  }

  override async start(): Promise<void> {
    await this.#stage.begin()
    this.id = (await this.client.health()).machine
  }
}

describeUnless(noNats(VERSION))('the page of one machine of a fleet', () => {
  const stage = new PageStage()
  let machines: FleetMachines
  let desk: FleetMachine
  let laptop: FleetMachine
  let cloud: FleetMachine
  let hook: WaitingHook | undefined
  let page: Page
  /** What the fleet calls the laptop: its host is the desk's, so it has a number. */
  let name = ''
  let address = ''

  beforeAll(async () => {
    machines = new FleetMachines(VERSION)
    desk = await machines.begin(new Desk(stage))
    laptop = await machines.add(new DaemonHome())
    cloud = await machines.add(new DaemonHome())
    await desk.serve()
    await laptop.join(await desk.line())
    await cloud.join(await desk.line())
    name = (await desk.listed(laptop))?.name ?? ''
    address = `${laptop.id}/payments`
    const there = new PageFleet(laptop.home)
    const said = ['The build folder is stale.', 'I will **rebuild from scratch**, then test.']
    const call = { name: 'Bash', input: BUILD }
    const transcript_path = there.transcript('payments', said, call)
    const told = asks('Bash', BUILD).slice(0, 2)
    await there.tell('payments', 5, ...told.map((event) => ({ ...event, transcript_path })))
    await there.tell('notes', 60, { hook_event_name: 'UserPromptSubmit', prompt: 'x' }, stop)
    const shell = { session_id: 'shell', cwd: '/home/ada/shell', prompt: 'x' }
    const pane = { tmux: '/tmp/none,1,0', tmuxPane: '%7' }
    laptop.home.write({ ...shell, hook_event_name: 'UserPromptSubmit' }, pane)
    await new PageFleet(desk.home).tell('website', 3, ...asks('Bash', BUILD).slice(0, 2))
    await new PageFleet(cloud.home).tell('crawler', 3, ...asks('Bash', BUILD).slice(0, 2))
    hook = await hookAsks(laptop.home, 'payments', 'Bash', BUILD)
    // SPEC FL135. In its first seconds a daemon takes no act from afar.
    await until('it takes calls', () =>
      desk.client.name(address, 'payments').then(
        () => true,
        () => false,
      ),
    )
    page = await stage.signedIn()
    await row().waitFor()
  })
  afterAll(async () => {
    hook?.end()
    await stage.end()
    await machines?.end()
  })

  const row = (id = address, on = page) => on.locator(`[data-id="${id}"]`)
  const groups = () => page.locator('.group h2').allInnerTexts()
  const decided = async () =>
    JSON.parse((await hook?.said) ?? '{}').hookSpecificOutput?.decision?.behavior
  const allow = (on = page) => on.locator('.request').getByRole('button', { name: /Allow once/ })
  const told = (text: string | RegExp, on = page) => on.getByText(text).first().waitFor()

  it('[FL84] names the machine of another machine’s session, and of no other', async () => {
    await row().getByText('waiting for permission').waitFor()
    expect(await row().innerText()).toContain(`on ${name}`)
    expect(await row('website').innerText()).not.toMatch(/\bon /)
  })

  it('[FL85] groups by machine', async () => {
    const names = (await desk.client.fleet()).machines.map((machine) => machine.name)
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await until('it is grouped', async () => (await groups()).length === 3)
    expect((await groups()).toSorted()).toEqual(names.toSorted())
    expect((await structureOf(page)).faults).toEqual([])
    await page.keyboard.press('g')
    await until('it is not', async () => (await groups()).length === 0)
  })

  it('[FL122] shows what was asked, said and done there, and why', async () => {
    await choose(page, address)
    await page.locator('.said').getByText('rebuild from scratch').waitFor()
    await page.locator('.request').getByText(BUILD.command).first().waitFor()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.locator('.piece.tone-waiting').first().waitFor()
    await page.getByRole('tab', { name: 'Why' }).click()
    await told('request opened')
    await page.getByRole('tab', { name: 'Now' }).click()
  })

  it('[FL91] offers the command that opens its terminal, and no button', async () => {
    await choose(page, `${laptop.id}/shell`)
    await told(`vigil jump ${laptop.id}/shell`)
    expect(await page.getByRole('button', { name: 'Show it there' }).count()).toBe(0)
    await choose(page, address)
  })

  it('[FL122] answers its request: the hook there gets the decision', async () => {
    await allow().waitFor()
    await passes(page, READY_MS)
    await allow().click()
    expect(await decided()).toBe('allow')
    await page.locator('.request').waitFor({ state: 'detached' })
    await told('allowed Bash')
    const { acts } = await laptop.client.audit()
    expect(acts.find(({ what }) => what === 'answer')?.who).toContain(desk.id)
  })

  it('[FL83] [FL200] what is gone is grey, last heard of then, and stays readable', async () => {
    hook = await hookAsks(laptop.home, 'payments', 'Bash', BUILD)
    await allow().waitFor()
    await page.locator('.said').waitFor()
    stage.troubles.splice(0)
    await laptop.daemon?.kill()
    await row()
      .getByText(/last heard \d+ s ago/)
      .waitFor()
    expect(await row().locator('.row-word').getAttribute('class')).toContain('ink-grey')
    await page.locator('.request').getByText('its machine is unreachable').waitFor()
    expect(await allow().count()).toBe(0)
    await page.locator('.said').getByText('rebuild from scratch').waitFor()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await told('its machine is unreachable')
    expect((await structureOf(page)).faults).toEqual([])
    expect(stage.troubles).toEqual([])
  })

  it('[FL82] [FL200] a page that is opened then says so, on a phone, too', async () => {
    const phone = await stage.signedIn(PHONE)
    await row(address, phone).click()
    await phone.locator('.request').getByText('its machine is unreachable').waitFor()
    await passes(phone, READY_MS)
    expect(await allow(phone).count()).toBe(0)
    expect((await structureOf(phone)).faults).toEqual([])
    expect(stage.troubles).toEqual([])
    await phone.context().close()
  })

  it('[FL200] once the machine is back, its sessions are loaded again', async () => {
    await laptop.start()
    await row()
      .getByText(/last heard/)
      .waitFor({ state: 'detached' })
    await page.getByText('its machine is unreachable').waitFor({ state: 'detached' })
  })
})

/** Long enough for a request to be ready. */
const READY_MS = 1_000
