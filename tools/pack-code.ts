import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * SPEC LI9. Writes the built files of `folder` anew, file by file and readable: without comments,
 * and with those parts of zod in `dist/packages/` that vigil uses. As zod is published, each
 * process would keep the source of all its languages in memory.
 */
export async function packCode(folder: string): Promise<void> {
  const [built, packed] = [join(folder, 'dist'), join(folder, 'dist-packed')]
  const input = globSync('**/*.js', { cwd: built, exclude: ['page'] })
  const code = await rolldown({
    cwd: folder,
    input: input.map((file) => join(built, file)),
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && id !== 'zod',
  })
  const named = ({ name }: { name: string }) => `${name.replace(/.*node_modules/, 'packages')}.js`
  await code.write({
    dir: packed,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: built,
    comments: false,
    entryFileNames: named,
    chunkFileNames: named,
  })
  await code.close()
  cpSync(packed, built, { recursive: true })
  rmSync(packed, { recursive: true })
}
