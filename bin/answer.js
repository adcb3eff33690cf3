// @ts-check
/**
 * `node answer.js SOCKET TOKEN REPORT`: asks the daemon, for a hook that waits, whether the turn
 * whose report lies in the spool may end. Prints the client's answer and exits 2 to have the agent
 * go on, 0 to let it be. Whatever is wrong here: nothing is printed, and the agent stops.
 *
 * Every Stop of a loop waits for this, so it loads next to nothing (`daemon/client/ask.ts` says why
 * not by `import`), and what it may have to do in the agent's folder only when it is told to.
 */
const { existsSync, readFileSync, writeSync } = process.getBuiltinModule('node:fs')
const { request } = process.getBuiltinModule('node:http')

/** One question, from first to last byte, and the start of a daemon that had died. */
const ANSWER_MAX_MS = 2_000
/** Between two tries to reach one that the hook has just started. */
const TRY_EVERY_MS = 25
/** Far above any answer: what is larger comes from something else. */
const ANSWER_MAX_BYTES = 1024 * 1024
/** A check and a next item, for each of a few nested loops. */
const CHORES_MAX = 8

const [socketPath = '', tokenPath = '', report = ''] = process.argv.slice(2)

process.on('uncaughtException', () => process.exit(0))
main().then(
  (code) => process.exit(code),
  () => process.exit(0),
)

/** @returns {Promise<number>} the exit code */
async function main() {
  let answer = await ask({ report })
  let result = {}
  for (let chores = 0; answer.act === 'chore' && chores < CHORES_MAX; chores++) {
    // What an earlier one brought stays: after its check a grind asks for the next item.
    result = { ...result, ...(await choreDone(answer.chore)) }
    answer = await ask({ report, result })
  }
  if (answer.act === 'block' && typeof answer.reason === 'string') {
    print({ decision: 'block', reason: answer.reason })
    return 2
  }
  if (answer.act === 'say' && typeof answer.text === 'string')
    print({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: answer.text },
    })
  return 0
}

/** @param {object} output */
function print(output) {
  writeSync(1, `${JSON.stringify(output)}\n`)
}

/**
 * @typedef {{ act?: unknown, reason?: unknown, text?: unknown, chore?: unknown }} Answer
 * @param {object} question
 * @returns {Promise<Answer>}
 */
async function ask(question) {
  const late = performance.now() + ANSWER_MAX_MS
  for (;;)
    try {
      return JSON.parse(await posted(JSON.stringify(question), late - performance.now()))
    } catch (error) {
      // Nobody is there, so nobody can have begun to answer.
      const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
      if (!['ENOENT', 'ECONNREFUSED'].includes(code) || performance.now() > late) throw error
      await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
    }
}

/**
 * @param {string} body
 * @param {number} withinMs
 * @returns {Promise<string>}
 */
function posted(body, withinMs) {
  return new Promise((resolve, reject) => {
    // Read for each try: a daemon that has just started has written another.
    const authorization = `Bearer ${readFileSync(tokenPath, 'utf8').trimEnd()}`
    const content = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const headers = { host: 'vigil', authorization, 'x-vigil': '1', ...content }
    const path = '/v1/loops/answer'
    const sent = request(
      { socketPath, path, method: 'POST', agent: false, headers },
      (response) => {
        let said = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          said += part
          if (said.length > ANSWER_MAX_BYTES) sent.destroy(new Error('an answer without end'))
        })
        response.on('error', reject)
        response.on('end', () =>
          response.statusCode === 200 ? resolve(said) : reject(new Error('refused')),
        )
      },
    )
    sent.on('error', reject)
    setTimeout(() => sent.destroy(new Error('late')), Math.max(withinMs, 0)).unref()
    sent.end(body)
  })
}

/**
 * Runs a check or looks for the next item.
 *
 * @param {unknown} chore
 * @returns {Promise<object>}
 */
async function choreDone(chore) {
  const source = new URL('../src/surfaces/loop/chores.ts', import.meta.url)
  const built = new URL('../dist/surfaces/loop/chores.js', import.meta.url)
  const { doChore } = await import((existsSync(source) ? source : built).href)
  return doChore(chore, process.cwd())
}
