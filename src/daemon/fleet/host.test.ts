import { hostname, type NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { fleetServe } from '../../protocol/fleet.ts'
import { hostNames } from './founding.ts'
import { listenAddress } from './host.ts'

it.each([
  ['desk:4000', 'desk', 4_000],
  ['10.0.0.7', '10.0.0.7', 4_222],
  [':5000', '0.0.0.0', 5_000],
  ['', '0.0.0.0', 4_222],
  ['[::1]:4222', '::1', 4_222],
  ['[fd00::7]', 'fd00::7', 4_222],
])('[FL143] %j is an address to listen at', (text, host, port) => {
  expect(listenAddress(text)).toEqual({ host, port })
})

it.each(['desk:0', 'desk:70000', 'nats://desk', 'a b', 'desk:', '::1', '"x"', 'desk:4222\n}'])(
  '[FL143] %j is refused, with what is expected',
  (text) => {
    expect(() => listenAddress(text)).toThrow('listen: expected host:port')
  },
)

it('[FL143] without names others reach this machine by its host name and its addresses', () => {
  const at = (address: string, internal = false, family = 'IPv4') =>
    [{ address, internal, family, netmask: '', mac: '', cidr: null }] as NetworkInterfaceInfo[]
  const interfaces = {
    lo: at('127.0.0.1', true),
    eth0: at('192.0.2.7'),
    wlan0: [...at('198.51.100.7'), ...at('fe80::1', false, 'IPv6')],
    docker0: at('172.17.0.1'),
  }
  expect(hostNames('0.0.0.0', interfaces)).toEqual([hostname(), '192.0.2.7', '198.51.100.7'])
  expect(hostNames('10.0.0.7', interfaces)).toEqual(['10.0.0.7'])
  const odd = ['192.0.2.7', '198.51.100.7']
  expect(hostNames('0.0.0.0', interfaces, 'Ada’s desk')).toEqual(odd)
})

it('[FL143] a name that is no host name or address is refused', () => {
  const wanted = { listen: 'desk:4222' }
  for (const name of ['desk', 'desk.example.net', '192.0.2.7', 'fd00::7'])
    expect(fleetServe.safeParse({ ...wanted, names: [name] }).success).toBe(true)
  for (const name of ['', 'a b', 'desk/', 'nats://desk', '[::1]', 'desk"', 'x'.repeat(254)])
    expect(fleetServe.safeParse({ ...wanted, names: [name] }).success, name).toBe(false)
})
