// Sharing, as people do it: a link, a client without a session who approves and comments, and a truth page. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND, api, check, checkPseudo, finish, key, launch, open, signIn, until, url } from './harness.mjs'

const { PHOTOS: folder } = process.env

async function upload(name) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'image/jpeg' }
  const response = await fetch(`${url}/v1/uploads?filename=${name}`, { method: 'POST', headers, body: readFileSync(join(folder, name)) })
  return (await response.json()).data.image_url
}

const { context, page } = await launch()
page.on('dialog', (dialog) => dialog.accept())
const address = '12 Larkspur Lane, 10001 Featherstone Vale'
const photos = [
  { id: 'living', image_url: await upload('01_living-room_empty.jpg'), title: 'Living room', room_type: 'living_room', empty: true },
  { id: 'bedroom', image_url: await upload('02_bedroom.jpg'), title: 'Bedroom', room_type: 'bedroom' },
]
const { listing_id: listing } = await api('/listings', { method: 'POST', body: JSON.stringify({ reference: 'Shared', address, photos }) })

// The set, by a disclosure profile.
await signIn()
await page.goto(`${url}/console/#/listings/${listing}`)
await page.getByLabel('Disclosure profile').selectOption({ label: 'California, AB 723' })
await page.getByText('Label, caption, file names').waitFor()
await page.getByText('2 photos enhanced, 1 room staged').waitFor()
await page.getByRole('button', { name: 'Make the set' }).click()
await page.getByText('3 of 3 ready').waitFor({ timeout: 300 * SECOND })
const jobs = (await api(`/listings/${listing}`)).jobs
const profileOf = async ({ job_id: id }) => (await api(`/jobs/${id}`)).input.options.disclosure_profile
assert.deepEqual(await Promise.all(jobs.map(profileOf)), Array(3).fill('california-ab-723'))

// A link is created, and shown once.
await page.getByRole('button', { name: 'Share', exact: true }).click()
await page.getByText('No links yet').waitFor()
await check('share-empty')
await page.getByLabel('Name').fill('The sellers')
await page.getByLabel('Valid for').selectOption('14')
await page.getByLabel('Show the address').uncheck()
await page.getByRole('button', { name: 'Create link' }).click()
const shared = await page.getByLabel('Link', { exact: true }).inputValue()
assert.match(shared, /\/s\/[0-9A-Za-z]{32}$/)
await page.getByText('no address · approves · comments · until').waitFor()
await context.grantPermissions(['clipboard-read', 'clipboard-write'])
await page.getByRole('button', { name: 'Copy' }).first().click()
assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shared)
await page.keyboard.press('Escape')
await page.getByRole('button', { name: 'Share', exact: true }).click()
await page.getByText('The sellers', { exact: true }).waitFor()
assert.equal(await page.getByLabel('Link', { exact: true }).count(), 0, 'the link is not shown again')
await page.keyboard.press('Escape')

// Somebody without a session approves, rejects and comments.
const client = (await open()).page
const link = new URL(new URL(shared).pathname, url).href
await client.goto(link)
assert.ok(!(await client.content()).includes('Larkspur'), 'the address is hidden')
const living = client.locator('#photo-living')
await living.getByRole('button', { name: 'Approve' }).click()
await living.getByText('Approved').waitFor()
await living.locator('summary').last().click()
await living.getByLabel('Your name').last().fill('Maria Miller')
await living.getByLabel('Comment').fill('Could the sofa be <b>gray</b>?')
await living.getByRole('button', { name: 'Send the comment' }).click()
await client.getByText('Could the sofa be').waitFor()
await client.locator('#photo-bedroom').getByRole('button', { name: 'Reject' }).click()
await client.locator('#photo-bedroom').getByText('Rejected').waitFor()

// The console shows it, without being asked.
await page.getByRole('img', { name: 'Approved, 1 comment' }).waitFor({ timeout: 40 * SECOND })
await page.getByRole('img', { name: 'Rejected', exact: true }).waitFor()
await check('listing-reviewed')
await checkPseudo('listing-reviewed')
await page.getByRole('button', { name: 'Share', exact: true }).click()
await page.getByText('Could the sofa be <b>gray</b>?').waitFor()
await page.getByText('Maria Miller').waitFor()
await check('share')
await page.keyboard.press('Escape')

// A truth page is published, opened and revoked.
await page.getByRole('button', { name: 'Living room' }).click()
const viewer = page.getByRole('dialog', { name: 'Living room' })
await viewer.getByText('Could the sofa be').waitFor()
await viewer.getByText('California, AB 723 requires it.').or(viewer.getByText('california-ab-723 requires it.')).waitFor()
await viewer.getByRole('button', { name: 'Publish' }).click()
const published = await viewer.getByLabel('Address of the truth page').inputValue()
assert.match(await viewer.getByLabel('Text to publish beside the photo').inputValue(), /unaltered image can be accessed at .*\/t\//)
await check('viewer-truth')
const truth = new URL(new URL(published).pathname, url).href
assert.equal((await client.goto(truth)).status(), 200)
await client.locator('img').first().waitFor()
await viewer.getByRole('button', { name: 'Revoke' }).click()
await viewer.getByText('Revoked ').waitFor()
assert.equal((await client.goto(truth)).status(), 410)
await page.keyboard.press('Escape')

// A photo that was not altered has none.
await page.getByRole('button', { name: 'Bedroom' }).click()
await page.getByRole('dialog', { name: 'Bedroom' }).getByText('What was changed').waitFor()
assert.equal(await page.getByRole('heading', { name: 'Truth page' }).count(), 0)
await page.keyboard.press('Escape')

// The link is revoked, and what was said stays.
await page.getByRole('button', { name: 'Share', exact: true }).click()
await page.getByRole('button', { name: 'Revoke: The sellers' }).click()
await page.getByText('revoked', { exact: true }).waitFor()
assert.equal((await client.goto(link)).status(), 410)
await page.getByText('Could the sofa be').waitFor()
await until('the reviews', async () => (await api(`/listings/${listing}/reviews`)).length === 3)

await finish()
