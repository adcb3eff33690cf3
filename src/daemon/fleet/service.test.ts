import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

it('[FL148] a machine in no fleet loads nothing of NATS', async () => {
  const module = new URL('./service.ts', import.meta.url).href
  const code = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(${JSON.stringify(module)})
    console.log(JSON.stringify(loaded))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code])
  const loaded = JSON.parse(stdout) as readonly string[]
  expect(loaded.filter((url) => url.endsWith('/fleet/service.ts'))).toHaveLength(1)
  expect(loaded.filter((url) => url.includes('@nats-io') || url.includes('nats/open'))).toEqual([])
})
