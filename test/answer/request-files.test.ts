import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type RequestFileParts, RequestFiles } from '../../src/daemon/requests/request-files.ts'
import { readRegularLater } from '../../src/home/regular-file.ts'
import { until } from '../support/daemon.ts'
import { MemoryActs, RequestRig } from '../support/requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-request-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function rigWith(parts: Partial<RequestFileParts> = {}, table = new MemoryActs()) {
  const found: string[] = []
  const files = new RequestFiles({
    folderOf: () => folder,
    home: '/home/me',
    read: readRegularLater,
    found: (session) => found.push(session),
    ...parts,
  })
  return { rig: new RequestRig({ files, table }), found }
}

const edit = (file_path: string) => ({ file_path, old_string: 'b', new_string: 'x' })

describe('[SH15] what a request would replace in a file', () => {
  it('is looked for when the request comes, and the row of its session is sent again', async () => {
    const { rig, found } = rigWith()
    const { id } = rig.asks('one', 'Edit', edit(file('plain', 'a\nb\n')))
    expect(rig.requests.find(id)).not.toHaveProperty('lines')
    await until('the line is found', () => found.length > 0)
    expect(found).toEqual(['one'])
    expect(rig.requests.find(id)).toMatchObject({
      lines: { new_string: 2 },
      folder,
      home: '/home/me',
      input: { file_path: join(folder, 'plain') },
    })
  })

  it('is looked for again by the next daemon', async () => {
    const { rig } = rigWith()
    const { id } = rig.asks('one', 'Edit', edit(file('again', 'a\n\nb\n')))
    const { rig: next, found } = rigWith({}, rig.table)
    next.learnFrom(rig)
    next.requests.start()
    await until('the line is found', () => found.length > 0)
    expect(next.requests.find(id)?.lines).toEqual({ new_string: 3 })
  })

  it('[BR6] is not looked for in a link, a pipe, a folder, a device or a long file', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const link = join(folder, 'link')
    symlinkSync(file('behind', 'a\nb'), link)
    const long = file('long', `b${'a'.repeat(1_000_000)}`)
    const odd = [pipe, link, folder, '/dev/zero', long, join(folder, 'none'), 'relative', '/']
    const { rig, found } = rigWith()
    for (const [at, path] of odd.entries()) rig.asks(`odd-${at}`, 'Edit', edit(path))
    // One at a time: when the last is there all before it were looked at.
    rig.asks('last', 'Edit', edit(file('last', 'b')))
    await until('the last is found', () => found.length > 0)
    expect(found).toEqual(['last'])
  })

  it('holds up nothing where a disk hangs, and takes one thread', async () => {
    const reads: string[] = []
    const read = (path: string) => {
      reads.push(path)
      return new Promise<never>(() => {})
    }
    const { rig } = rigWith({ read })
    for (let at = 1; at <= 80; at += 1) rig.asks('s'.repeat(at), 'Edit', edit('/f'))
    await until('one is read', () => reads.length > 0)
    const { id, name } = rig.asks('one', 'Edit', edit('/f'))
    const { told } = rig.waits(name)
    rig.answer(id, { choice: 'allow', where: 'page' }, 'ada')
    expect(await told).toMatchObject({ act: 'decide' })
    expect(rig.requests.list()).toHaveLength(80)
    expect(reads).toEqual(['/f'])
  })
})
