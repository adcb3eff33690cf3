export interface ServerPlace {
  /** Without the brackets of an IPv6 address. */
  readonly host: string
  readonly port: number
}

const DEFAULT_PORT = 4222

/** Where the server of an address such as `tls://host:4222` listens. */
export function serverPlace(url: string): ServerPlace {
  // `URL` reads the host of a scheme that it does not know in another way.
  const { hostname, port } = new URL(url.replace(/^(\w+:\/\/)?/, 'http://'))
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || DEFAULT_PORT }
}
