/** SPEC DR11. Why a text is not an address that vigil may be reached under; nothing if it is. */
export function originFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return 'expected https:// and a name'
  const { origin, hostname, protocol } = url
  if (!/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(hostname)) return 'expected one exact name'
  if (origin !== text) return `expected exactly ${origin}`
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  if (protocol === 'http:' && !isLocal)
    return 'expected https://, or the key of a browser is there for all to read'
  return undefined
}
