import { closeSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../core/json.ts'
import type { Folders } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import { errorCode, openRegular, readAt } from '../home/regular-file.ts'
import { FLEET_RIGHTS } from '../protocol/constants.ts'
import { FleetError } from './errors.ts'
import { boxKeyShape, fleetIdShape, machineIdShape, signKeyShape } from './payloads.ts'

/** The roster of the most members has 0.77 MB, 1 MB as text. */
const STATE_MAX_BYTES = 4 * 1_024 * 1_024

const pendingInvite = z.object({
  id: z.string(),
  secret: z.string(),
  expiresAt: z.number(),
  lookOnly: z.boolean(),
})

const fleetState = z.object({
  fleet: fleetIdShape,
  /** The machine that it was made for: a copied folder must not join as the same machine. */
  machine: machineIdShape,
  keys: z.object({
    signSeed: z.string(),
    signPublic: signKeyShape,
    boxPrivate: boxKeyShape,
    boxPublic: boxKeyShape,
  }),
  /** The machine that signs the roster, and its key. */
  founder: machineIdShape,
  founderKey: signKeyShape,
  isFounder: z.boolean(),
  urls: z.array(z.string()),
  /** The server's own certificate (PEM). */
  tls: z.string().nullable(),
  /** A file with the login of an existing server. */
  creds: z.string().nullable(),
  /** Files of the server that this machine runs, by what they are for. */
  serve: z.record(z.string(), z.string()).nullable(),
  /** Its user accepted a server with known holes. */
  allowOldServer: z.boolean().default(false),
  /** By epoch, base64url: a row may be older than the last removal. */
  groupKeys: z.record(z.string(), boxKeyShape),
  /** The newest roster, as its founder signed it: base64url. */
  roster: z.string(),
  rights: z.record(machineIdShape, z.enum(FLEET_RIGHTS)),
  /** SPEC FL29. */
  lookKey: z
    .object({ id: z.string(), key: boxKeyShape, given: z.array(machineIdShape).readonly() })
    .nullable()
    .default(null),
  /** See `RevCounter`. */
  revCeiling: z.int().min(0),
  invites: z.array(pendingInvite),
})
/** All that a machine keeps of its fleet. */
export type FleetState = Readonly<z.output<typeof fleetState>>

type Data = Pick<Folders, 'data'>

export function fleetFileOf({ data }: Data): string {
  return join(data, 'fleet.json')
}

export function hasFleetState(folders: Data): boolean {
  return lstatSync(fleetFileOf(folders), { throwIfNoEntry: false }) !== undefined
}

/** SPEC FL24, FL25. Undefined where this machine is in no fleet. Throws a `FleetError`. */
export function readFleetState(folders: Data, machine: string): FleetState | undefined {
  const file = fleetFileOf(folders)
  const text = textOf(file)
  if (text === undefined) return undefined
  const parsed = fleetState.safeParse(parseJson(text))
  if (!parsed.success) throw damaged(file, 'was changed by another program')
  if (parsed.data.machine !== machine) throw damaged(file, 'was made for another machine')
  return parsed.data
}

/** SPEC FL24. */
export function writeFleetState(folders: Data, state: FleetState): void {
  const file = fleetFileOf(folders)
  try {
    writePrivate(file, `${JSON.stringify(state)}\n`)
  } catch (error) {
    throw new FleetError(`${file} cannot be written (${errorCode(error)}): nothing was changed.`)
  }
}

/** SPEC FL24. Also what a daemon that was killed left while it wrote. */
export function removeFleetState(folders: Data): void {
  const file = fleetFileOf(folders)
  const draft = new RegExp(`^${basename(file).replace('.', '\\.')}(\\.\\d+)?$`)
  for (const name of readdirSync(folders.data))
    if (draft.test(name)) rmSync(join(folders.data, name), { force: true, recursive: true })
}

function textOf(file: string): string | undefined {
  const opened = openRegular(file)
  if (opened.is === 'absent') return undefined
  if (opened.is === 'odd') throw damaged(file, `should be a file, and is ${opened.what}`)
  if (opened.is === 'unreadable') throw damaged(file, `cannot be read (${opened.why})`)
  try {
    if (opened.stats.size > STATE_MAX_BYTES) throw damaged(file, 'is larger than vigil writes it')
    const content = Buffer.alloc(Number(opened.stats.size))
    return content.toString('utf8', 0, readAt(opened.fd, content, 0))
  } finally {
    closeSync(opened.fd)
  }
}

function damaged(file: string, what: string): FleetError {
  return new FleetError(
    `${file} ${what}: run \`vigil fleet leave\`, then join with another invitation.`,
  )
}
