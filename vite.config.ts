import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('src/surfaces/web/', import.meta.url))
const outDir = fileURLToPath(new URL('dist/page/', import.meta.url))

/** The page, what stands before it for other sites' links, and the frame with a terminal in it. */
const PAGES = ['index.html', 'arrive.html', 'pane.html']

// A test that has it built would get React as for its developers: twice the size, a third the speed.
process.env.NODE_ENV = 'production'

export default defineConfig({
  root,
  plugins: [react(), compressed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // What the policy of the page forbids: an address with the content in it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: PAGES.map((page) => join(root, page)).filter((path) => existsSync(path)),
    },
  },
})

/** Compressed once, here, and not by the daemon with each answer. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const name of globSync('**/*.{html,js,css,svg,webmanifest}', { cwd: outDir })) {
        const path = join(outDir, name)
        const bytes = readFileSync(path)
        writeFileSync(`${path}.br`, brotliCompressSync(bytes))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
