export function pathOf(id: string): string {
  return `/v1/sessions/${encodeURIComponent(id.toWellFormed())}`
}

export function loopPath(name: string): string {
  return `/v1/loops/${encodeURIComponent(name.toWellFormed())}`
}

export function queryOf(parameters: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}
