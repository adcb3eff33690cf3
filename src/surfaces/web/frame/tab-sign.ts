/** SPEC PG10. The tab's title: how many sessions need the user. */
export function titleOf(needy: number, lost: boolean): string {
  if (lost) return '… vigil'
  return needy === 0 ? 'vigil' : `(${needy}) vigil`
}

const COUNT_MAX = 99

/** The tab's icon as an address, with the number of sessions that need the user. */
export function iconOf(needy: number, lost: boolean): string {
  const eye = lost ? '#8f9bab' : '#93a5ff'
  const number = needy > COUNT_MAX ? `${COUNT_MAX}+` : String(needy)
  const size = number.length > 2 ? 11 : number.length > 1 ? 14 : 17
  const badge =
    needy === 0 || lost
      ? ''
      : `<circle cx="21" cy="21" r="11" fill="#eab54f"/><text x="21" y="${21 + size * 0.36}"` +
        ` font-family="sans-serif" font-weight="700" font-size="${size}"` +
        ` text-anchor="middle" fill="#12161d">${number}</text>`
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="8" fill="#13171d"/>' +
    '<path d="M6 16c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z" fill="none"' +
    ` stroke="#e9edf3" stroke-width="2"/><circle cx="16" cy="16" r="3.4" fill="${eye}"/>` +
    `${badge}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
