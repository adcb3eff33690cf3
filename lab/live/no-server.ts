/**
 * Loaded before the daemon: no connection to the server of an agent succeeds, as where there is
 * none. vigil's own sockets are not touched.
 */
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const SERVER = /\/app-server-control\.sock$/

const { connect } = net
net.connect = ((...args: Parameters<typeof connect>) => {
  const [to] = args as unknown[]
  return connect.apply(net, typeof to === 'string' && SERVER.test(to) ? ['/nowhere'] : args)
}) as typeof connect
syncBuiltinESMExports()
