// What the console costs: time to its first paint and what it loads, in Chromium; and memory of the server with many open consoles.
// Run by bench/console.sh.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const { AERIE_URL: url, KEYS, SERVER } = process.env
const keys = KEYS.split(' ')
const RUNS = 9
const OPEN = 50
const MIB = 1 << 20

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${SERVER}/status`, 'utf8'))[1]) * 1024

// Before any script of the page: what the browser measures by itself.
function observe() {
  globalThis.seen = { lcp: 0, shift: 0, blocked: 0 }
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.lcp = entry.startTime }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.shift += entry.value }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.blocked += entry.duration - 50 }).observe({ type: 'longtask', buffered: true })
}

const browser = await chromium.launch({ executablePath: execFileSync('which', [process.env.CHROMIUM ?? 'chromium']).toString().trim(), args: ['--no-sandbox'] })

async function load(path, ready, cookie) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true })
  if (cookie) await context.addCookies([{ ...cookie, url: `${url}/console/api` }])
  const page = await context.newPage()
  await page.addInitScript(observe)
  await page.goto(`${url}${path}`)
  await page.getByRole('heading', { name: ready }).first().waitFor()
  const measured = await page.evaluate(() => {
    const bytes = performance.getEntriesByType('resource').filter(({ name }) => /\.(js|css|svg|webp)$/.test(name)).reduce((sum, { transferSize }) => sum + transferSize, 0)
    const [navigation] = performance.getEntriesByType('navigation')
    return { paint: performance.getEntriesByName('first-contentful-paint')[0].startTime, bytes: bytes + navigation.transferSize, ...seen }
  })
  await context.close()
  return measured
}

async function signIn(key) {
  const response = await fetch(`${url}/console/api/session`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ key }) })
  const [name, value] = response.headers.get('set-cookie').split(';')[0].split('=')
  return { name, value }
}

const cookie = await signIn(keys[0])
for (const [path, ready, with_] of [['/console/', 'Sign in to Aerie'], ['/console/', 'No listings yet', cookie], ['/docs/', 'Aerie']]) {
  const runs = []
  for (let run = 0; run < RUNS; run += 1) runs.push(await load(path, ready, with_))
  const of = (name) => median(runs.map((run) => run[name]))
  console.log(`${path} "${ready}": first paint ${of('paint').toFixed(0)} ms, largest ${of('lcp').toFixed(0)} ms, blocked ${of('blocked').toFixed(0)} ms, `
    + `layout shift ${of('shift').toFixed(3)}, ${(of('bytes') / 1024).toFixed(1)} KiB (medians of ${RUNS})`)
}
await browser.close()

// Each as a browser does: the page and its files, its session, the listings, and a stream of events that stays open.
const before = resident()
const streams = []
for (let number = 0; number < OPEN; number += 1) {
  const { name, value } = await signIn(keys[number % keys.length])
  const headers = { Cookie: `${name}=${value}` }
  const page = await (await fetch(`${url}/console/`)).text()
  for (const [, file] of page.matchAll(/"\.\/([^"]+\.(?:js|css|svg))"/g)) await (await fetch(`${url}/console/${file}`)).arrayBuffer()
  for (const path of ['session', 'v1/listings?limit=48', 'v1/jobs?limit=20']) await (await fetch(`${url}/console/api/${path}`, { headers })).arrayBuffer()
  const stream = await fetch(`${url}/console/api/v1/events`, { headers })
  if (stream.status !== 200) throw new Error(`stream ${number} answers ${stream.status}`)
  streams.push(stream)
}
await new Promise((resolve) => setTimeout(resolve, 3000))
const after = resident()
console.log(`${OPEN} open consoles: the server has ${(after / MIB).toFixed(0)} MiB in memory, ${((after - before) / OPEN / 1024).toFixed(0)} KiB more for each`)
process.exit(0)
