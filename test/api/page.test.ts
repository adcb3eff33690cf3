import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Page } from '../../src/daemon/api/page.ts'
import { bytesOf, type Parts } from './request.ts'
import { builtPage, INDEX, type Rig, send, startRig } from './support.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

const get = (target: string, headers: Parts['headers'] = {}, method = 'GET') =>
  send(rig.dial('tcp'), [
    bytesOf(rig, 'tcp', { method, target, headers: { authorization: undefined, ...headers } }),
  ])

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

describe('the page', () => {
  it('[DR1] is served to a browser without a key, at the root and by its name', async () => {
    for (const target of ['/', '/index.html', '/?from=somewhere']) {
      const { status, headers, body } = await get(target)
      expect([status, body]).toEqual([200, INDEX])
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    }
    expect((await get('/v1/sessions')).status).toBe(401)
  })

  it('[DR3] may load nothing from elsewhere, run nothing inline, and not be framed', async () => {
    const { headers } = await get('/')
    expect(headers['content-security-policy']).toBe(POLICY)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
  })

  it('[DR3] has a frame for terminals that only it may show', async () => {
    const policy = (await get('/pane.html')).headers['content-security-policy'] ?? ''
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self' 'unsafe-inline'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'none'")
  })

  it('[DR3] names each file’s type, and lets hashed ones be kept', async () => {
    const script = await get('/assets/app-4f2a.js')
    expect([script.status, script.body]).toEqual([200, 'export const page = 1'])
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    expect(script.headers['cross-origin-resource-policy']).toBe('same-origin')
    const icon = await get('/icon.svg')
    expect(icon.headers['content-type']).toBe('image/svg+xml')
    expect(icon.headers['cache-control']).toBe('no-cache')
  })

  it.each([
    ['br, gzip', 'br', 'as brotli'],
    ['gzip, deflate, br;q=0', 'gzip', 'as gzip'],
    ['gzip;q=0.5', 'gzip', 'as gzip'],
    ['GZIP', 'gzip', 'as gzip'],
    ['br;q=0.0, identity', undefined, 'export const page = 1'],
    ['brotli, *', undefined, 'export const page = 1'],
  ])('[DR3] is sent in the form that was asked for: %s', async (accepted, coding, body) => {
    const answer = await get('/assets/app-4f2a.js', { 'accept-encoding': accepted })
    expect([answer.headers['content-encoding'], answer.body]).toEqual([coding, body])
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.headers['content-length']).toBe(String(body.length))
  })

  it('[DR3] is not sent again to a browser that has these very bytes', async () => {
    const plain = (await get('/')).headers.etag as string
    const packed = { 'accept-encoding': 'br' }
    const brotli = (await get('/assets/app-4f2a.js', packed)).headers.etag as string
    expect(await get('/', { 'if-none-match': plain })).toMatchObject({ status: 304, body: '' })
    expect((await get('/', { 'if-none-match': `"x", ${plain}` })).status).toBe(304)
    expect((await get('/', { 'if-none-match': brotli })).status).toBe(200)
    const other = { 'if-none-match': brotli }
    expect((await get('/assets/app-4f2a.js', { ...packed, ...other })).status).toBe(304)
    expect((await get('/assets/app-4f2a.js', other)).status).toBe(200)
  })

  it('[DR3] answers HEAD with the same headers and no body', async () => {
    const [whole, head] = [await get('/'), await get('/', {}, 'HEAD')]
    expect(head.body).toBe('')
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' })
  })
})

describe('the files', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-page-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('[DR2] are those of the build there was at the start', () => {
    const page = Page.read(builtPage(folder))
    writeFileSync(join(folder, 'later.js'), 'later')
    writeFileSync(join(folder, 'index.html'), 'rebuilt')
    expect(page.has('/later.js')).toBe(false)
    rmSync(folder, { recursive: true })
    expect(page.answer('/', { headers: {} })?.status).toBe(200)
  })

  it('[DR2] are plain ones of known kinds, by their exact names', () => {
    const page = Page.read(builtPage(folder))
    expect(page.isBuilt).toBe(true)
    for (const path of ['/', '/index.html', '/pane.html', '/icon.svg', '/assets/app-4f2a.js'])
      expect([path, page.has(path)]).toEqual([path, true])
    const others = ['/notes.txt', '/assets', '/assets/link.js', '/assets/app-4f2a.js.br']
    for (const path of [...others, '', '//', '/.', '/assets/app-4f2a.js.map', '/constructor'])
      expect([path, page.has(path)]).toEqual([path, false])
  })

  it('[DR2] that were not built are said to be, in a sentence', () => {
    const page = Page.read(join(tmpdir(), 'vigil-no-page'))
    expect(page.isBuilt).toBe(false)
    const answer = page.answer('/', { headers: {} })
    expect(answer?.status).toBe(503)
    expect(answer?.body).toContain('npm run page')
    expect(page.has('/index.html')).toBe(false)
  })
})
