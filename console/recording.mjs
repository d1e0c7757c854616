// A session in the console: a folder becomes a set, a room is arranged, a boundary is drawn. Run by console/recording.sh.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const { AERIE_URL: url, AERIE_KEY: key, PHOTOS: photos, FRAMES: frames } = process.env
const SECOND = 1000
/** A picture that stays, and a time in which jobs run, are cut to this, seconds. */
const LONGEST = 0.9
const LONGEST_WAIT = 2.5

const browser = await chromium.launch({ executablePath: execFileSync('which', [process.env.CHROMIUM ?? 'chromium']).toString().trim(), args: ['--no-sandbox'] })
const context = await browser.newContext({ viewport: { width: 1200, height: 750 }, locale: 'en-US', colorScheme: 'light' })
const page = await context.newPage()
page.setDefaultTimeout(600 * SECOND)
const pause = (seconds) => page.waitForTimeout(seconds * SECOND)

// Times in which jobs run.
const waits = []
async function wait(promise) {
  const from = Date.now() / SECOND
  await promise
  waits.push([from, Date.now() / SECOND])
}

// Frames arrive when something changes, with the time at which it did.
const taken = []
const session = await context.newCDPSession(page)
session.on('Page.screencastFrame', async ({ data, metadata, sessionId }) => {
  const name = `${String(taken.length).padStart(5, '0')}.jpg`
  writeFileSync(join(frames, name), Buffer.from(data, 'base64'))
  taken.push({ name, time: metadata.timestamp })
  await session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
})

await page.goto(`${url}/console/`)
await page.getByLabel('API key').fill(key)
await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, maxWidth: 1200, maxHeight: 750 })
await page.keyboard.press('Enter')
await page.getByRole('heading', { name: 'No listings yet' }).waitFor()
await pause(0.8)

// A folder becomes a set.
await page.getByTestId('folder').setInputFiles(photos)
await page.getByText('photos enhanced').waitFor()
await pause(1)
await page.getByRole('button', { name: 'Make the set' }).click()
await wait(page.getByText(/^(\d+) of \1 ready$/).waitFor())
await pause(1)
await page.getByRole('button', { name: '01_living-room_empty' }).click()
const divider = page.getByRole('slider', { name: 'Compare before and after' })
await divider.waitFor()
await pause(0.8)
for (const share of [70, 85, 95, 80, 60, 40, 20, 8, 20, 40, 55]) {
  await divider.evaluate((input, value) => { input.value = value; input.dispatchEvent(new Event('input', { bubbles: true })) }, String(share))
  await pause(0.1)
}
await page.getByLabel('Show what changed').check()
await pause(0.9)
await page.keyboard.press('Escape')

// A room is arranged.
await page.getByRole('link', { name: 'Studio' }).click()
await pause(0.6)
await page.getByRole('link', { name: 'Staging studio' }).click()
await page.getByTestId('photo').setInputFiles(join(photos, '01_living-room_empty.jpg'))
await page.getByRole('button', { name: /^Make \d drafts$/ }).click()
await wait(page.locator('.plan').waitFor())
await pause(0.8)
const piece = await page.locator('.plan .piece').first().boundingBox()
await page.mouse.move(piece.x + piece.width / 2, piece.y + piece.height / 2)
await page.mouse.down()
for (let step = 1; step <= 12; step += 1) {
  await page.mouse.move(piece.x + piece.width / 2 - step * 3, piece.y + piece.height / 2 + step * 2)
  await pause(0.06)
}
await page.mouse.up()
await pause(0.9)

// A boundary is drawn.
await page.getByRole('link', { name: 'Studio' }).click()
await page.getByRole('link', { name: 'Boundary' }).click()
await page.getByRole('combobox', { name: 'Address' }).pressSequentially('12 Larkspur', { delay: 60 })
const house = page.getByRole('option', { name: '12 Larkspur Lane' }).first()
await wait(house.waitFor())
await pause(0.6)
await house.click()
await page.getByRole('button', { name: 'Make the pictures' }).click()
const top = page.getByRole('button', { name: 'Street at the top' })
await wait(top.waitFor())
await pause(0.9)
await top.click()
const surface = page.locator('.surface')
await surface.waitFor()
await pause(0.6)
const box = await surface.boundingBox()
// Above the tools at the lower edge.
const corners = [[0.31, 0.29], [0.69, 0.3], [0.7, 0.87], [0.31, 0.86]]
for (const [x, y] of [...corners, corners[0]]) {
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 8 })
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height)
  await pause(0.35)
}
await page.getByRole('button', { name: 'Measure the boundary' }).and(page.locator(':enabled')).waitFor()
await pause(1.2)
await session.send('Page.stopScreencast')
await browser.close()

const lines = taken.map(({ name, time }, at) => {
  const shown = Math.min(LONGEST, Math.max(0.04, (taken[at + 1]?.time ?? time + LONGEST) - time))
  const [from, to] = waits.find(([from, to]) => time >= from && time < to) ?? [0, 0]
  return `file '${name}'\nduration ${(shown * Math.min(1, LONGEST_WAIT / Math.max(to - from, 0.001))).toFixed(4)}`
})
writeFileSync(join(frames, 'list.txt'), `${lines.join('\n')}\n`)
