// What tests of the console share: a browser that records complaints, sign-in, and the check of a screen. Run by e2e/console.sh.
//
//   launch(options)      opens Chromium and a page (options of a Playwright context): { browser, context, page }
//   open(options)        another context of the same browser, for example with touch: { context, page }
//   signIn(page)         signs in with AERIE_KEY
//   api(path, request)   what the API says, by the key
//   until(what, holds)   waits until `holds` gives something
//   check(name, page)    nothing that axe calls serious, no text cut at the side, in light and dark and at each width
//   checkPseudo(name)    no text is cut in a language that is a third longer
//   finish()             nothing was reported in the browser's console, and no other host was asked; closes the browser
//
// AERIE_URL is the server, AERIE_KEY a key, CHROMIUM the browser. SCREENSHOTS, a folder, gets a picture of each screen that is checked.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

export const { AERIE_URL: url, AERIE_KEY: key } = process.env
export const SECOND = 1000

const screenshots = process.env.SCREENSHOTS
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WIDTHS = [390, 768, 1440]

const complaints = []
const hosts = new Set()
/** What tests cause: sessions and links that are over, requests that are refused or cut off. */
const expected = /status of 40[0139]|status of 410|ERR_INTERNET_DISCONNECTED|net::ERR_/
/** An altered photo without a truth page, which is what its panel asks. */
const unpublished = /\/truth-page$/
let browser
let first

export async function launch(options = {}) {
  const executablePath = execFileSync('which', [process.env.CHROMIUM ?? 'chromium']).toString().trim()
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  first = await open(options)
  return { browser, ...first }
}

export async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', acceptDownloads: true, colorScheme: 'light', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20 * SECOND)
  page.on('console', (message) => {
    const { url: of } = message.location()
    const isExpected = expected.test(message.text()) || (/status of 404/.test(message.text()) && unpublished.test(of))
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(`${message.text()} ${of}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => { if (!/^(blob|data):/.test(request.url())) hosts.add(new URL(request.url()).host) })
  return { context, page }
}

export async function signIn(page = first.page) {
  await page.goto(`${url}/console/`)
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Listings', exact: true }).waitFor()
}

export async function api(path, request = {}) {
  const response = await fetch(`${url}/v1${path}`, { ...request, headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } })
  return (await response.json()).data
}

export async function until(what, holds, seconds = 30) {
  const end = Date.now() + seconds * SECOND
  while (Date.now() < end) {
    const found = await holds()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  assert.fail(`not within ${seconds} s: ${what}`)
}

export async function check(name, page = first.page) {
  const before = page.viewportSize()
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    // Beside the page's policy, which forbids it to evaluate text.
    const session = await page.context().newCDPSession(page)
    await session.send('Runtime.evaluate', { expression: axe })
    const { violations } = await page.evaluate('axe.run()')
    const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
    assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html]), [], `${name}, ${colorScheme}`)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wider <= 0, `${name} is ${wider} pixels wider than ${width}`)
      if (screenshots) {
        await page.waitForTimeout(300)
        await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}-${width}.png`) })
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}

/** Texts that may end with an ellipsis have the class `ellipsis`; those that scroll are regions of their own. */
export async function checkPseudo(name, page = first.page) {
  const before = page.viewportSize()
  const chosen = await page.evaluate(() => localStorage.getItem('language'))
  await page.evaluate(() => localStorage.setItem('language', 'pseudo'))
  await page.reload()
  await page.getByText('~]').first().waitFor()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await page.waitForTimeout(300)
    const cut = await page.evaluate(() => [...document.querySelectorAll('button, .button, label, legend, h1, h2, h3, th, td, dt, dd, .chip span')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .filter((element) => getComputedStyle(element).display !== 'inline' && !element.closest('.hidden, .ellipsis') && !element.querySelector('.ellipsis, .hidden'))
      .map((element) => element.outerHTML.slice(0, 200)))
    assert.deepEqual(cut, [], `${name} cuts text at ${width} pixels`)
    if (screenshots) await page.screenshot({ path: join(screenshots, `${name}-pseudo-${width}.png`) })
  }
  await page.evaluate((language) => (language === null ? localStorage.removeItem('language') : localStorage.setItem('language', language)), chosen)
  await page.setViewportSize(before)
  await page.reload()
}

export async function finish(origin = url) {
  assert.deepEqual(complaints, [])
  assert.deepEqual([...hosts], [new URL(origin).host], 'the page asks no other host')
  await browser.close()
}
