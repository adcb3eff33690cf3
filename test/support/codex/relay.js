// relay.js SOCKET FILE [PORT]: connects a port of this network namespace, a free one unless it is
// given, to a socket outside it, and writes the port's number into FILE.
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'

const [socket, file, port = '0'] = process.argv.slice(2)
const server = createServer((client) => {
  const model = connect(socket)
  client.pipe(model).pipe(client)
  client.on('error', () => model.destroy())
  model.on('error', () => client.destroy())
})
server.listen(Number(port), '127.0.0.1', () => writeFileSync(file, String(server.address().port)))
