// @ts-check
/**
 * `node answer.js SOCKET TOKEN REPORT [request] <FILE`: asks the daemon on behalf of a waiting
 * hook, by name and digest of the report that the hook left in the spool, and prints the answer in
 * the client's form. FILE is that report: the hook has held it open since it wrote it.
 *
 * At the end of a turn: asks whether the turn may end; prints what makes the agent go on, in the
 * agent's own form and with its exit code, or nothing. For a `request`: fetches the answer, once
 * the daemon has signalled the hook that there is one. On any error it prints nothing: the agent
 * stops, and the user is asked in the terminal.
 *
 * Every Stop of a loop waits for this, so it loads almost nothing (`client/ask.ts` says why it does
 * not use `import`), and loads the code for work in the agent's folder on demand.
 */
const { hash } = process.getBuiltinModule('node:crypto')
const fs = process.getBuiltinModule('node:fs')
const { existsSync, lstatSync, readFileSync, writeSync } = fs
const { request } = process.getBuiltinModule('node:http')
const { dirname } = process.getBuiltinModule('node:path')

/** One request, from first to last byte: 20 hooks that start at once keep the daemon busy. */
const ANSWER_MAX_MS = 8_000
/** The start of a daemon that had died. */
const START_MAX_MS = 2_000
/** Between two tries to reach a daemon that the hook has just started. */
const TRY_EVERY_MS = 25
/** Far larger than any answer. */
const ANSWER_MAX_BYTES = 1024 * 1024
/** A check and a next item, for each of a few nested loops. */
const CHORES_MAX = 8

/** A daemon that has answered is alive; on a machine that swaps it may take seconds. */
const OUTCOME_MAX_MS = 15_000
/** The hook should keep waiting: the daemon is gone, or has no answer yet. */
const WAITS_ON = 75

const [socketPath = '', tokenPath = '', report = '', asked = ''] = process.argv.slice(2)

process.on('uncaughtException', () => process.exit(0))
const bound = { report, digest: digestOf(wholeReport()) }
const ended = asked === 'request' ? decided() : stopped()
ended.then(
  (code) => process.exit(code),
  () => process.exit(0),
)

/** From its beginning: an earlier run by the hook has read the same open file to its end. */
function wholeReport() {
  const report = Buffer.alloc(fs.fstatSync(0).size)
  let length = 0
  for (let read = 1; read > 0; length += read)
    read = fs.readSync(0, report, length, report.length - length, length)
  return report.subarray(0, length)
}

/**
 * SPEC BR2. Of the payload alone, as the daemon makes it (`sources/spool-file.ts`).
 *
 * @param {Buffer} file
 */
function digestOf(file) {
  return hash('sha256', file.subarray(file.indexOf('\n\n') + 2, -'\n.\n'.length))
}

/** @returns {Promise<number>} the exit code */
async function stopped() {
  let answer = await ask(bound)
  let result = {}
  for (let chores = 0; answer.act === 'chore' && chores < CHORES_MAX; chores++) {
    // The results of earlier checks stay: after its check a loop over many items asks for the next
    // one.
    result = { ...result, ...(await choreDone(answer.chore)) }
    answer = await ask({ ...bound, result })
  }
  const { act, output, exit } = answer
  if (act !== 'print' || !isObject(output) || typeof exit !== 'number') return 0
  print(output)
  return exit
}

/**
 * A daemon that is gone has left the request open for the next one.
 *
 * @returns {Promise<number>} the exit code
 */
async function decided() {
  try {
    const path = '/v1/requests/outcome'
    const told = JSON.parse(await posted(path, JSON.stringify(bound), OUTCOME_MAX_MS))
    if (told.act === 'again') return WAITS_ON
    const isOurs = told.act === 'decide' && told.digest === bound.digest
    if (isOurs && isObject(told.output)) print(told.output)
    return 0
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
    return GONE.includes(code) ? WAITS_ON : 0
  }
}

/** No daemon runs, or it has just ended. */
const GONE = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']

/**
 * The hook itself checks whether this is an answer for its agent, by its beginning and end.
 *
 * @param {unknown} output
 * @returns {output is object}
 */
function isObject(output) {
  return typeof output === 'object' && output !== null && !Array.isArray(output)
}

/** @param {object} output */
function print(output) {
  writeSync(1, `${JSON.stringify(output)}\n`)
}

/**
 * @typedef {{ act?: unknown, output?: unknown, exit?: unknown, chore?: unknown }} Answer
 * @param {object} question
 * @returns {Promise<Answer>}
 */
async function ask(question) {
  const late = performance.now() + START_MAX_MS
  // With many hooks at once, the last may ask seconds after its report: its waiting time begins
  // now.
  const body = JSON.stringify({ ...question, askedAt: Date.now() })
  for (;;)
    try {
      return JSON.parse(await posted('/v1/loops/answer', body, ANSWER_MAX_MS))
    } catch (error) {
      // No daemon runs, so none can have begun to answer.
      const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
      if (!['ENOENT', 'ECONNREFUSED'].includes(code) || performance.now() > late) throw error
      await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
    }
}

/**
 * @param {string} path
 * @param {string} body
 * @param {number} [withinMs] for ever unless given
 * @returns {Promise<string>}
 */
function posted(path, body, withinMs) {
  return new Promise((resolve, reject) => {
    assertOwnSocket()
    // Read for each try: a daemon that has just started has written another token.
    const token = readFileSync(tokenPath, 'utf8').trimEnd()
    const authorization = `Bearer ${token}`
    const content = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const headers = { host: 'vigil', authorization, 'x-vigil': '1', ...content }
    const sent = request(
      { socketPath, path, method: 'POST', agent: false, headers },
      (response) => {
        let said = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          said += part
          if (said.length > ANSWER_MAX_BYTES) sent.destroy(new Error('the answer is too long'))
        })
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode === 200) resolve(said)
          else reject(refusal(response.statusCode, token))
        })
      },
    )
    sent.on('error', reject)
    if (withinMs !== undefined)
      setTimeout(() => sent.destroy(new Error('late')), Math.max(withinMs, 0)).unref()
    sent.end(body)
  })
}

/**
 * A daemon that started since the token was read has made another, and is asked again: to
 * the caller, the previous daemon is gone.
 *
 * @param {number | undefined} status
 * @param {string} token
 */
function refusal(status, token) {
  const isOld = status === 401 && readFileSync(tokenPath, 'utf8').trimEnd() !== token
  return Object.assign(new Error('refused'), isOld && { code: 'ECONNREFUSED' })
}

/** As in `src/home/own-socket.ts`: the token is never sent to a socket that another user made. */
function assertOwnSocket() {
  const [own, folder] = [process.getuid?.(), dirname(socketPath)]
  const [socket, { uid, mode }] = [lstatSync(socketPath), lstatSync(folder)]
  const isOwn = socket.isSocket() && socket.uid === own && uid === own && (mode & 0o77) === 0
  let isSafe = isOwn && lstatSync(folder).isDirectory()
  for (let at = dirname(folder); isSafe; at = dirname(at)) {
    isSafe = isSafeAbove(lstatSync(at))
    if (at === dirname(at)) break
  }
  // The folders that really contain it; the topmost is its own parent.
  for (let [at, below] = [`${folder}/..`, lstatSync(folder)]; isSafe; at += '/..') {
    const found = lstatSync(at)
    if (found.ino === below.ino && found.dev === below.dev) break
    isSafe = isSafeAbove(found)
    below = found
  }
  if (!isSafe) throw new Error(`${socketPath}: another user could listen there`)
}

/** @param {import('node:fs').Stats} found */
function isSafeAbove({ uid, gid, mode }) {
  const isShared = (mode & 0o2) !== 0 || ((mode & 0o20) !== 0 && !isOwnGroup(gid))
  const isLink = (mode & 0o170000) === 0o120000
  const isTrusted = [process.getuid?.(), 0].includes(uid) || (uid === 65_534 && !isRootMapped())
  return isTrusted && (isLink || !isShared || (mode & 0o1000) !== 0)
}

/** As in `src/home/owners.ts`. */
function isRootMapped() {
  return /^\s*0\s/m.test(readFileSync('/proc/self/uid_map', 'utf8'))
}

/**
 * As in `src/home/owners.ts`.
 *
 * @param {number} gid
 */
function isOwnGroup(gid) {
  if (gid !== process.getgid?.()) return false
  const groups = readFileSync('/etc/group', 'utf8').split('\n')
  const [name, , , members = ''] =
    groups.map((line) => line.split(':')).find(([, , id]) => id === String(gid)) ?? []
  if (name === undefined) return gid === process.getuid?.()
  const { username } = process.getBuiltinModule('node:os').userInfo()
  return name === username && ['', username].includes(members)
}

/**
 * Runs a check or looks for the next item.
 *
 * @param {unknown} chore
 * @returns {Promise<object>}
 */
async function choreDone(chore) {
  const source = new URL('../src/surfaces/loop/pending-checks.ts', import.meta.url)
  const built = new URL('../dist/surfaces/loop/pending-checks.js', import.meta.url)
  const { doChore } = await import((existsSync(source) ? source : built).href)
  return doChore(chore, process.cwd())
}
