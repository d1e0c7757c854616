import { defineConfig } from 'vite'

// `AERIE_URL=http://127.0.0.1:8080 npm run dev` serves the console from its sources, and passes requests on to that server;
// `AERIE_ADMIN_URL` is its admin listener, for the console for operators at /operator.html.
const server = process.env.AERIE_URL ?? 'http://127.0.0.1:8080'
const admin = process.env.AERIE_ADMIN_URL ?? 'http://127.0.0.1:9464'

// The pages by mode: their source, the name of what is built, and where a server has them. Each has one file of each kind, whose name
// the server completes by a hash: what is committed keeps its name.
const PAGES: Record<string, [string, string, string]> = {
  operator: ['operator.html', 'operator', '/operator/'],
  reference: ['reference.html', 'reference', '/docs/'],
}
const CONSOLE: [string, string, string] = ['index.html', 'app', '/console/']

export default defineConfig(({ command, mode }) => {
  const [page, name, path] = PAGES[mode] ?? CONSOLE
  return {
    base: command === 'serve' ? path : './',
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
    build: {
      target: 'es2022',
      outDir: '../crates/api/console-assets',
      // The console is built first.
      emptyOutDir: !(mode in PAGES),
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: page,
        output: { entryFileNames: `${name}.js`, assetFileNames: `${name}[extname]`, inlineDynamicImports: true },
      },
    },
    server: { proxy: { '/console/api': server, '/media': server, '/openapi.json': server, '/operator/api': admin } },
  }
})
