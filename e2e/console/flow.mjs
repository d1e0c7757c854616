// From a folder of photos to a ZIP file, as people do it. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND, api, check, finish, key, launch, until, url } from './harness.mjs'

const { PHOTOS: folder, DOWNLOADS: downloads } = process.env
const photos = readdirSync(folder).sort().map((name) => join(folder, name))
const { context, page } = await launch()

// Sign-in.
await page.goto(url)
assert.equal(new URL(page.url()).pathname, '/console/')
const started = Date.now()
await page.reload()
await page.getByRole('heading', { name: 'Sign in to Aerie' }).waitFor()
console.log(`first screen after ${Date.now() - started} ms`)
await check('sign-in')
await page.getByLabel('API key').fill('aerie_live_wrong')
await page.keyboard.press('Enter')
await page.getByRole('alert').filter({ hasText: 'not a valid API key' }).waitFor()
await page.getByLabel('API key').fill(key)
await page.keyboard.press('Enter')
await page.getByRole('heading', { name: 'No listings yet' }).waitFor()
const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
assert.ok(!stored.includes(key), 'the page keeps the key')
await check('listings-empty')

// Action 1: the folder. The connection is slow, and the page is closed in the middle.
const slow = await context.newCDPSession(page)
await slow.send('Network.enable')
const speed = (uploadThroughput) => slow.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput })
await speed(400_000)
const offsets = []
page.on('response', async (response) => {
  if (response.request().method() === 'HEAD') offsets.push(Number(await response.headerValue('upload-offset')))
})
await page.getByTestId('folder').setInputFiles(folder)
await page.getByText(/^Uploading \d/).waitFor()
const listing = await until('the address of the listing', async () => /listings\/([0-9a-f-]+)$/.exec(page.url())?.[1])
assert.equal((await api(`/listings/${listing}`)).reference, '12 Larkspur Lane')
await page.waitForTimeout(4 * SECOND)
await page.reload()
await page.getByText(/^Uploading \d/).waitFor()
await speed(-1)
await until('all photos in the listing', async () => (await api(`/listings/${listing}`)).photos.length === photos.length)
await page.waitForTimeout(1 * SECOND)
const uploaded = (await api(`/listings/${listing}`)).photos
assert.equal(uploaded.length, photos.length, 'each photo once')
assert.equal(new Set(uploaded.map((photo) => photo.image_url)).size, photos.length)
assert.deepEqual(uploaded.map((photo) => photo.title), photos.map((photo) => photo.split('/').pop().replace('.jpg', '')), 'in the order of their names')
assert.ok(offsets.some((offset) => offset > 0), `uploads continue where they were: ${offsets}`)
// The same folder again adds nothing, and a file that is no photo is named.
await page.getByTestId('folder').setInputFiles(folder)
await page.getByText(`${photos.length} photos were already there`).waitFor()
await page.getByTestId('photos').setInputFiles(process.env.NOT_A_PHOTO)
await page.getByText('Aerie cannot read them: notes.gif').waitFor()
assert.equal((await api(`/listings/${listing}`)).photos.length, photos.length)

// Rooms were guessed. Action 2: another one is labeled.
assert.equal(uploaded[0].room_type, 'living_room')
assert.equal(uploaded[0].empty, true)
assert.equal(uploaded[1].room_type, 'bedroom')
await page.getByLabel('Room: 03', { exact: true }).selectOption('kitchen')
await until('the label', async () => (await api(`/listings/${listing}`)).photos[2].room_type === 'kitchen')
await check('listing')

// Action 3: the set. The page is closed before the answer arrives.
await page.getByText('6 photos enhanced, 1 room staged').waitFor()
await page.getByText('Price 14.00').waitFor()
await page.route('**/generate', async (route) => { await route.fetch(); await route.abort() })
await page.getByRole('button', { name: 'Make the set' }).click()
await until('jobs', async () => (await api(`/listings/${listing}`)).jobs.length > 0)
await page.unroute('**/generate')
await page.reload()
await until('all jobs', async () => (await api(`/listings/${listing}`)).jobs.length >= 7)
// Everything arrives by events.
await page.getByText('7 of 7 ready').waitFor({ timeout: 300 * SECOND })
assert.equal((await api(`/listings/${listing}`)).jobs.length, 7, 'each job once')
await page.getByText('All of it is made').waitFor()
await until('pictures', () => page.evaluate(() => document.querySelectorAll('.tile img[src*="/media/"]').length === 6))

// The viewer: the divider, the mask, another try.
await page.getByRole('button', { name: '01_living-room_empty' }).click()
const divider = page.getByRole('slider', { name: 'Compare before and after' })
await divider.focus()
await page.keyboard.press('ArrowRight')
assert.equal(await divider.inputValue(), '50.5')
await page.getByLabel('Show what changed').check()
await until('the mask', () => page.evaluate(() => document.querySelector('.mask')?.naturalWidth > 0))
await check('viewer')
await page.getByLabel('In your own words').fill('a bit warmer')
await page.getByRole('button', { name: 'Enhance again' }).click()
await page.getByRole('button', { name: 'Enhanced · a bit warmer' }).waitFor({ timeout: 60 * SECOND })
await page.getByRole('button', { name: 'Enhanced · a bit warmer' }).click()
await page.getByText('white balance').first().waitFor()
await page.keyboard.press('Escape')
await page.getByRole('dialog').waitFor({ state: 'detached' })

// Action 4: the ZIP file.
const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download ZIP' }).click()])
await download.saveAs(join(downloads, 'listing.zip'))

// All listings, in German, by keyboard.
await page.getByRole('button', { name: 'Acme Homes' }).click()
await page.getByLabel('Language').selectOption('de')
await page.keyboard.press('Escape')
await page.getByRole('link', { name: 'Objekte', exact: true }).first().click()
await page.getByText('6 Fotos').waitFor()
await check('listings')
await page.getByText('6 Fotos').click()
await page.getByText('Alles ist erstellt').waitFor()
await check('listing-german')
await page.getByRole('button', { name: '02_bedroom' }).click()
await page.getByText('Was geändert wurde').waitFor()
await check('viewer-german')
await page.keyboard.press('Escape')
await page.getByRole('link', { name: 'Konto' }).click()
await page.getByRole('cell', { name: 'Fotoverbesserung' }).waitFor()
await check('usage')
await page.getByRole('button', { name: 'Acme Homes' }).click()
await page.getByLabel('Sprache').selectOption('en')

// Signing out ends the session, and what the browser kept.
await page.getByRole('button', { name: 'Sign out' }).click()
await page.getByRole('heading', { name: 'Sign in to Aerie' }).waitFor()
assert.deepEqual(await context.cookies(), [])
const kept = await page.evaluate(async () => {
  const open = await new Promise((resolve) => { const asked = indexedDB.open('aerie-photos'); asked.onsuccess = () => resolve(asked.result) })
  return await new Promise((resolve) => { const asked = open.transaction('photos').objectStore('photos').count(); asked.onsuccess = () => resolve(asked.result) })
})
assert.equal(kept, 0)

// A revoked key ends the session.
await page.getByLabel('API key').fill(key)
await page.keyboard.press('Enter')
await page.getByRole('heading', { name: 'Listings' }).waitFor()
const admin = (...words) => execFileSync(process.env.AERIE_BIN, ['admin', 'key', ...words, '--data', process.env.DATA]).toString()
const own = JSON.parse(admin('list', '--json')).find(({ hint }) => key.startsWith(hint.slice(0, -1)))
admin('revoke', own.key_id)
const revoked = Date.now()
await page.getByText('Your session is over').waitFor({ timeout: 20 * SECOND })
console.log(`the session ended ${((Date.now() - revoked) / SECOND).toFixed(0)} s after its key was revoked`)

await finish()
