// A truth page as visitors see it, with and without scripts. Run by e2e/truth.sh.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const { AERIE_URL: url, AERIE_KEY: key, PHOTO: photo, MEDIA: media, SCREENSHOTS: screenshots } = process.env
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function call(method, path, body, type = 'application/json') {
  const response = await fetch(url + path, { method, body, headers: { 'X-API-Key': key, 'Content-Type': type } })
  const answer = await response.json()
  assert.ok(response.ok, JSON.stringify(answer))
  return answer.data
}

/** The photo with a position in its EXIF, as phones write it. */
function withPosition(jpeg) {
  const tiff = Buffer.alloc(80)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  // IFD0: a pointer to the directory of the position at 26, which has the latitude at 44.
  tiff.writeUInt16LE(1, 8); tiff.writeUInt16LE(0x8825, 10); tiff.writeUInt16LE(4, 12); tiff.writeUInt32LE(1, 14); tiff.writeUInt32LE(26, 18)
  tiff.writeUInt16LE(1, 26); tiff.writeUInt16LE(2, 28); tiff.writeUInt16LE(5, 30); tiff.writeUInt32LE(3, 32); tiff.writeUInt32LE(44, 36)
  ;[47, 1, 8, 1, 27, 1].forEach((value, at) => tiff.writeUInt32LE(value, 44 + 4 * at))
  const contents = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(contents.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, contents, jpeg.subarray(2)])
}

const submitted = withPosition(readFileSync(photo))
const { image_url } = await call('POST', '/v1/uploads', submitted, 'image/jpeg')
const body = { image_url, options: { preset: 'bright' } }
const { job_id } = await call('POST', '/v1/image-enhance/generate', JSON.stringify(body))
let job
do {
  await new Promise((resolve) => setTimeout(resolve, 300))
  job = await call('GET', `/v1/jobs/${job_id}`)
} while (!['completed', 'failed'].includes(job.status))
assert.equal(job.status, 'completed', JSON.stringify(job.output))
assert.equal(job.output.disclosure_profile.name, 'california-ab-723')
const truth = await call('POST', `/v1/jobs/${job_id}/truth-page`)

const original = Buffer.from(await (await fetch(`${truth.url}/original`)).arrayBuffer())
assert.ok(submitted.includes('Exif') && !original.includes('Exif'), 'the original has no EXIF')
const scan = (file) => file.subarray(file.indexOf(Buffer.from([0xff, 0xda])))
assert.ok(scan(original).equals(scan(submitted)), 'the picture is unaltered')

const executablePath = execFileSync('which', [process.env.CHROMIUM]).toString().trim()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

async function open(options) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', ...options })
  const page = await context.newPage()
  const complaints = []
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()) })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const hosts = new Set()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const response = await page.goto(truth.url, { waitUntil: 'networkidle' })
  return { context, page, complaints, hosts, response }
}

/** Nothing that axe calls serious, and no text cut at the side, in light and dark and at each width. */
async function check(name, { context, page }, withAxe) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      if (withAxe) {
        // Beside the page's policy, which forbids it to evaluate text.
        const session = await context.newCDPSession(page)
        await session.send('Runtime.evaluate', { expression: axe })
        const { violations } = await page.evaluate('axe.run()')
        const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
        assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html]), [], `${name}, ${colorScheme}, ${width}`)
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wider <= 0, `${name} is ${wider} pixels wider than ${width}`)
      }
      if (screenshots) await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}-${width}.png`), fullPage: true })
    }
  }
}

// With scripts: one picture lies on the other.
const scripted = await open({})
assert.equal(scripted.response.status(), 200)
assert.equal(scripted.response.headers()['referrer-policy'], 'no-referrer')
await check('scripted', scripted, true)
const slider = scripted.page.getByRole('slider', { name: /original and the result/ })
const cut = () => scripted.page.locator('.stack').evaluate((stack) => stack.style.getPropertyValue('--cut'))
assert.equal(await cut(), '50%')
await slider.focus()
await scripted.page.keyboard.press('ArrowRight')
assert.equal(await cut(), '51%')
await scripted.page.keyboard.press('Home')
assert.equal(await cut(), '0%')
const text = await scripted.page.locator('main').innerText()
for (const part of ['unchanged since it was published', truth.files[0].sha256, 'Content Credentials: intact', 'whom this service trusts', 'White balance:']) {
  assert.ok(text.includes(part), `${part}\n${text}`)
}
assert.ok(!text.includes('Tampered'), text)
assert.deepEqual([...scripted.hosts], [new URL(url).host], 'nothing is loaded from elsewhere')
assert.deepEqual(scripted.complaints, [])

// Without: both beside each other.
const plain = await open({ javaScriptEnabled: false })
await check('plain', plain, false)
await plain.page.setViewportSize({ width: 1440, height: 900 })
assert.equal(await plain.page.getByRole('slider').count(), 0)
const [left, right] = [await plain.page.locator('figure.original img').boundingBox(), await plain.page.locator('figure.result img').boundingBox()]
assert.ok(left.width > 300 && right.width > 300 && right.x >= left.x + left.width && Math.abs(left.y - right.y) < 2, JSON.stringify([left, right]))
assert.ok((await plain.page.locator('main').innerText()).includes('White balance:'))

// A file that is changed on the disk.
const result = readdirSync(media, { recursive: true }).map(String).find((name) => name.endsWith('result.jpg'))
const file = join(media, result)
const bytes = readFileSync(file)
bytes[bytes.length - 1000] ^= 0x55
writeFileSync(file, bytes)
await scripted.page.reload({ waitUntil: 'networkidle' })
const warning = await scripted.page.getByRole('alert').innerText()
assert.match(warning, /Tampered file\. Result: the file was changed after this page was published/)
assert.ok((await scripted.page.locator('main').innerText()).includes('CHANGED after it was signed'))
await check('tampered', scripted, true)

// An address that was revoked, and one that never was.
await call('DELETE', `/v1/jobs/${job_id}/truth-page?erase=true`)
assert.ok(!readdirSync(media, { recursive: true }).map(String).some((name) => name.endsWith('result.jpg')), 'the files are gone')
for (const [address, status, heading] of [
  [truth.url, 410, 'This page was withdrawn'],
  [truth.url.slice(0, -4) + 'aaaa', 404, 'No such page'],
]) {
  const response = await scripted.page.goto(address)
  assert.equal(response.status(), status)
  assert.equal(await scripted.page.getByRole('heading', { level: 1 }).innerText(), heading)
  await check(`status-${status}`, scripted, true)
}
await browser.close()
