/** SPEC DR11. Why a text is not an address that vigil may be reached under; undefined if it is. */
export function originFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return 'expected https:// and a name'
  const { origin, hostname, protocol } = url
  if (!/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(hostname)) return 'expected one exact name'
  if (origin !== text) return `expected exactly ${origin}`
  // Also of this machine: any user may listen there while a tunnel is down (SPEC OC10).
  if (protocol === 'http:')
    return 'expected https://: http lets no browser verify the server. For SSH see `vigil share`'
  return undefined
}
