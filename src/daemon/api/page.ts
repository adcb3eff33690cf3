import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { headerOf, type IncomingRequest } from './admit.ts'
import type { ApiResponse } from './route.ts'

/** Where `npm run page` puts it, in a checkout as in the package. */
const BUILT = fileURLToPath(new URL('../../../dist/page/', import.meta.url))

/**
 * SPEC DR2. The files of the page: all that a caller without a key gets. They are read once, when
 * the daemon starts, so that it serves one build whatever happens to the folder; a requested name
 * is looked up in a table and never becomes part of a path.
 */
export class Page {
  readonly #files: ReadonlyMap<string, PageFile>

  private constructor(files: ReadonlyMap<string, PageFile>) {
    this.#files = files
  }

  /** If the page is not built, or is being built, it says so. */
  static read(folder = BUILT): Page {
    try {
      return new Page(filesIn(folder))
    } catch {
      return new Page(new Map())
    }
  }

  get isBuilt(): boolean {
    return this.#files.has('/')
  }

  has(path: string): boolean {
    return path === '/' || this.#files.has(path)
  }

  /** The response to GET and HEAD; undefined for a path that is none of its files. */
  answer(path: string, asked: Pick<IncomingRequest, 'headers'>): ApiResponse | undefined {
    const file = this.#files.get(path)
    if (file) return file.answer(asked)
    return path === '/' ? { status: 503, headers: PLAIN, body: NOT_BUILT } : undefined
  }
}

const NOT_BUILT = 'The page is not built. Run `npm run page`, then `vigil stop`.\n'
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }

/** Anything else in the folder (maps, notes) is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'frame-src': "'self'",
  'worker-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
}

/**
 * The terminal in its frame writes its own style elements. It communicates only through the page
 * that frames it, so it needs no connection.
 */
const PANE_POLICY = {
  ...POLICY,
  'style-src': "'self' 'unsafe-inline'",
  'connect-src': "'none'",
  'frame-src': "'none'",
  'frame-ancestors': "'self'",
}

/** SPEC DR3. By the name of the document; scripts and pictures need none. */
function headersOf(name: string): Record<string, string> {
  // Names under assets/ contain a hash of their content.
  if (name.startsWith('assets/')) return { 'cache-control': 'private, max-age=31536000, immutable' }
  if (!name.endsWith('.html')) return { 'cache-control': 'no-cache' }
  const policy = name === 'pane.html' ? PANE_POLICY : POLICY
  return {
    'cache-control': 'no-cache',
    'content-security-policy': Object.entries(policy)
      .map((rule) => rule.join(' '))
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    // SPEC SH13. The same address has another document for requests from other sites.
    vary: 'accept-encoding, sec-fetch-site',
  }
}

function filesIn(folder: string): ReadonlyMap<string, PageFile> {
  const names = namesIn(folder)
  const files = new Map(
    names.flatMap((name) => {
      const file = readPageFile(folder, name, names)
      return file ? [[`/${name}`, file] as const] : []
    }),
  )
  const index = files.get('/index.html')
  if (index) files.set('/', index)
  return files
}

type Coding = 'br' | 'gzip'

/** The compressed files of the build, the smaller first. */
const CODINGS: readonly (readonly [Coding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

class PageFile {
  readonly #headers: Readonly<Record<string, string>>
  readonly #forms: ReadonlyMap<Coding | '', Form>

  constructor(headers: Readonly<Record<string, string>>, forms: ReadonlyMap<Coding | '', Form>) {
    this.#headers = headers
    this.#forms = forms
  }

  answer(asked: Pick<IncomingRequest, 'headers'>): ApiResponse {
    const [coding, form] = this.#formFor(headerOf(asked, 'accept-encoding') ?? '')
    const headers = { vary: 'accept-encoding', ...this.#headers, etag: form.etag }
    const known = (headerOf(asked, 'if-none-match') ?? '').split(',').map((etag) => etag.trim())
    if (known.includes(form.etag)) return { status: 304, headers, body: null }
    const encoded = coding === '' ? {} : { 'content-encoding': coding }
    return { status: 200, headers: { ...headers, ...encoded }, body: form.bytes }
  }

  #formFor(accepted: string): readonly [Coding | '', Form] {
    const wanted = accepted.split(',').map((one) => one.replaceAll(' ', '').toLowerCase())
    const found = CODINGS.find(([coding]) =>
      wanted.some((one) => one.split(';')[0] === coding && !/;q=0(\.0*)?$/.test(one)),
    )
    const coding = found && this.#forms.has(found[0]) ? found[0] : ''
    return [coding, this.#forms.get(coding) as Form]
  }
}

interface Form {
  readonly bytes: Uint8Array
  /** Of exactly these bytes: compressed ones are another response. */
  readonly etag: string
}

function readPageFile(
  folder: string,
  name: string,
  names: readonly string[],
): PageFile | undefined {
  const type = TYPES[extname(name)]
  if (type === undefined) return undefined
  const codings = CODINGS.filter(([, suffix]) => names.includes(name + suffix))
  const forms = new Map<Coding | '', Form>([
    ['', formOf(join(folder, name))],
    ...codings.map(([coding, suffix]) => [coding, formOf(join(folder, name + suffix))] as const),
  ])
  return new PageFile({ 'content-type': type, ...headersOf(name) }, forms)
}

function formOf(path: string): Form {
  const bytes = readFileSync(path)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Plain files by their path within the folder. Links are not followed. */
function namesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    .filter((name) => /^[\w./-]+$/.test(name))
}
