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

  it('[FL84] names the machine of another machine’s session, and of no other', async () => {
    await row().getByText('waiting for permission').waitFor()
    expect(await row().innerText()).toContain(`on ${name}`)
    expect(await row('website').innerText()).not.toMatch(/\bon /)
    await page.screenshot({ path: '.cache/fleet-1.png' })
  })

  it('[FL85] groups by machine', async () => {
    await row('website').click()
    for (const _ of [1, 2]) await page.keyboard.press('g')
    await until('it is grouped', async () => (await groups()).length === 3)
    await page.screenshot({ path: '.cache/fleet-2.png' })
    console.log(await groups(), name)
    await page.keyboard.press('g')
  })

  it('[FL122] shows what was said and done there, and why', async () => {
    await choose(page, address)
    await page.getByText('rebuild from scratch').waitFor()
    await page.locator('.request').getByText(BUILD.command).first().waitFor()
    await page.screenshot({ path: '.cache/fleet-3.png' })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.locator('.piece.tone-waiting').first().waitFor()
    await page.screenshot({ path: '.cache/fleet-4.png' })
    await page.getByRole('tab', { name: 'Why' }).click()
    await page.screenshot({ path: '.cache/fleet-5.png' })
    await page.getByRole('tab', { name: 'Now' }).click()
  })

  it('[FL122] answers its request: the hook there gets the decision', async () => {
    await passes(page, 1_000)
    await page.locator('.request').getByRole('button', { name: /Allow once/ }).click()
    const decided = JSON.parse((await hook?.said) ?? '{}').hookSpecificOutput?.decision
    expect(decided).toMatchObject({ behavior: 'allow' })
    await page.locator('.request').waitFor({ state: 'detached' })
    const { acts } = await laptop.client.audit()
    const answer = acts.find(({ what }) => what === 'answer')
    expect(answer?.who).toContain(desk.id)
    await page.screenshot({ path: '.cache/fleet-6.png' })
  })

  it('[FL83] [FL82] a machine that is gone has grey sessions, last heard of then', async () => {
    const asking = await hookAsks(laptop.home, 'payments', 'Bash', BUILD)
    try {
      await page.locator('.request').waitFor()
      await laptop.daemon?.kill()
      await row().getByText(/last heard/).waitFor()
      await page.screenshot({ path: '.cache/fleet-7.png' })
      console.log(await page.locator('.request').innerText(), await row().innerText())
      console.log(await page.title(), (await structureOf(page)).faults)
    } finally {
      asking.end()
    }
    const phone = await stage.signedIn(PHONE)
    await row(address, phone).waitFor()
    await phone.screenshot({ path: '.cache/fleet-8.png' })
    console.log((await structureOf(phone)).faults)
    await row(address, phone).click()
    await passes(phone, 1000)
    await phone.screenshot({ path: '.cache/fleet-9.png' })
    console.log((await structureOf(phone)).faults)
    await phone.context().close()
    console.log(stage.troubles)
  })
})
