import { Command } from 'commander'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refuseAgents } from './no-agent.ts'

beforeEach(() => {
  vi.stubEnv('VIGIL_HOME', '/nonexistent/vigil')
  vi.stubEnv('CLAUDECODE', '1')
})
afterEach(() => vi.unstubAllEnvs())

it('[WD10] a command that is not in the list is refused in an agent’s shell', async () => {
  const command = new Command('vigil').command('brand-new')
  await expect(refuseAgents(command)).rejects.toThrow(
    'this command runs inside an agent: only the user runs vigil brand-new',
  )
  await expect(refuseAgents(new Command('vigil').command('status'))).resolves.toBeUndefined()
})
