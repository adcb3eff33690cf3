import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/**
 * A key of AES-GCM may encrypt 2^32 messages with random first bytes. A fleet of a thousand changes
 * a second sends as many in seven weeks, so each sender has its own.
 */
export function senderKey(groupKey: Uint8Array, machine: string): KeyObject {
  const keys = senderKeys.get(groupKey) ?? new Map<string, KeyObject>()
  senderKeys.set(groupKey, keys)
  const known = keys.get(machine)
  if (known) return known
  const hmac = createHmac('sha256', groupKey).update(`vigil fleet sender 1 ${machine}`)
  const key = createSecretKey(hmac.digest())
  if (keys.size >= SENDERS_MAX) keys.clear()
  keys.set(machine, key)
  return key
}

/** Making a key takes twice as long as decrypting a row with it. */
const senderKeys = new WeakMap<Uint8Array, Map<string, KeyObject>>()
/** More than the members of a fleet. */
const SENDERS_MAX = 4_096
