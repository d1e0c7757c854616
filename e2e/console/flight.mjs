// A direction chosen by stills, a film, and two films side by side. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { SECOND, api, check, checkPseudo, finish, launch, signIn, until, url } from './harness.mjs'

const ADDRESS = '12 Larkspur Lane, 10001 Featherstone Vale'
const { page } = await launch()
// The sample town is built when it is first needed.
await api('/addresses?q=Larkspur')
await signIn()
await page.goto(`${url}/console/#/studio/flight`)
await page.getByText('No flights yet').waitFor()
await check('flight-empty')

// A request is canceled when one types on.
const asked = []
page.on('requestfailed', (request) => { if (request.url().includes('/v1/addresses')) asked.push(request.failure().errorText) })
await page.route('**/v1/addresses?*', async (route) => {
  await new Promise((resolve) => setTimeout(resolve, 400))
  await route.continue().catch(() => {})
})
const field = page.getByRole('combobox', { name: 'Address' })
await field.pressSequentially('12 Lark', { delay: 20 })
await page.waitForTimeout(300)
await field.pressSequentially('spur')
await page.getByRole('option', { name: '12 Larkspur Lane' }).first().click()
assert.equal(await field.inputValue(), ADDRESS)
assert.deepEqual([...new Set(asked)], ['net::ERR_ABORTED'])
await page.unroute('**/v1/addresses?*')

// Stills of the format, with the label or without.
await page.getByRole('radio', { name: 'Square 1:1' }).check()
await page.getByLabel('Show a pin with the address').uncheck()
await page.getByRole('button', { name: 'Show the directions' }).click()
await page.getByText('From the north').first().waitFor({ timeout: 120 * SECOND })
const [preview] = await api('/jobs?job_type=drone_footage')
assert.deepEqual(preview.input.options, { aspect_ratio: '1:1', highlight: true, label: false })
await until('stills', () => page.evaluate(() => [...document.querySelectorAll('.still img')].filter((image) => image.naturalWidth > 0).length === 7))
await page.getByText('No doubts about the house').waitFor()
await check('flight-stills')
await page.getByLabel('Show a pin with the address').check()
await page.getByText('These stills show another format').waitFor()
await page.getByLabel('Show a pin with the address').uncheck()
await page.getByText('These stills show another format').waitFor({ state: 'detached' })

// A reload keeps them. The keyboard chooses a direction.
await page.reload()
await page.getByText('From the north').first().waitFor()
assert.equal(await field.inputValue(), ADDRESS)
await page.getByRole('radio', { name: 'Approach and orbit' }).focus()
await page.keyboard.press('ArrowRight')
assert.ok(await page.getByRole('radio', { name: 'From the north' }).isChecked())

// The film.
await page.getByRole('radio', { name: '720p' }).check()
await page.getByRole('slider').fill('6')
await page.getByRole('button', { name: 'Make the film: From the north' }).click()
await page.locator('video.film').waitFor({ timeout: 480 * SECOND })
const [film] = await api('/jobs?job_type=drone_footage')
assert.deepEqual(film.input, { address: ADDRESS, options: { direction: 'north', duration: 6, resolution: '720p', aspect_ratio: '1:1', highlight: true, label: false } })
await page.getByText('The film lasts 6 seconds.').waitFor()
await page.getByText('2 files are signed by').waitFor()
await page.locator('video.film').evaluate((video) => video.play())
await until('the film plays', () => page.locator('video.film').evaluate((video) => video.currentTime > 0.2))
await page.locator('video.film').evaluate((video) => video.pause())
await check('flight-film')
await checkPseudo('flight-film')

// A film that was made by the API is listed, and compared with the other one.
const options = { direction: 'topdown_zoomin', duration: 6, resolution: '720p', aspect_ratio: '1:1' }
const { job_id: other } = await api('/drone-footage/generate', { method: 'POST', body: JSON.stringify({ address: ADDRESS, options }) })
await until('the other film', async () => (await api(`/jobs/${other}`)).status === 'completed', 480)
await page.reload()
await page.getByRole('checkbox', { name: /^Compare From above, sinking · 1:1/ }).check()
await page.getByText('Choose “Compare” for one more').waitFor()
await page.getByRole('checkbox', { name: /^Compare From the north · 1:1/ }).check()
await page.getByRole('button', { name: 'Play both' }).click()
await until('both play', () => page.evaluate(() => [...document.querySelectorAll('.side-by-side video')].filter((video) => video.currentTime > 0.2).length === 2))
await check('flight-comparison')

// An address that the map does not have: the reason is beside the form.
await page.goto(`${url}/console/#/studio/flight`)
await page.getByRole('combobox', { name: 'Address' }).fill('1 Nowhere Street, 99999 Nowhere')
await page.getByRole('button', { name: /^Make the film/ }).click()
await page.getByRole('alert').waitFor({ timeout: 60 * SECOND })
await check('flight-failed')
await finish()
