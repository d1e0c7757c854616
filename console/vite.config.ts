import { defineConfig } from 'vite'

// `AERIE_URL=http://127.0.0.1:8080 npm run dev` serves the console from its sources, and passes requests on to that server.
const server = process.env.AERIE_URL ?? 'http://127.0.0.1:8080'

export default defineConfig(({ command }) => ({
  base: command === 'serve' ? '/console/' : './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    outDir: '../crates/api/console-assets',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file of each kind, whose name the server completes by a hash: what is committed keeps its name.
    rollupOptions: { output: { entryFileNames: 'app.js', assetFileNames: 'app[extname]', inlineDynamicImports: true } },
  },
  server: { proxy: { '/console/api': server, '/media': server } },
}))
