// A room in several styles, its furniture moved by mouse and by touch, and the final picture of it. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { SECOND, api, check, checkPseudo, finish, launch, open, signIn, until, url } from './harness.mjs'

const { PHOTOS: photos } = process.env
const { page } = await launch()
const sent = []
const note = (request) => {
  if (request.method() === 'POST' && request.url().endsWith('/v1/virtual-staging/generate')) sent.push(request.postDataJSON())
}
page.on('request', note)

const jobOf = (address) => /staging\/([0-9a-f-]+)$/.exec(address)?.[1]
const pieceOn = (on, at) => on.locator('.plan .piece').nth(at)

/** How many pixels of the screen a meter of the plan takes. */
const meterOf = (on) => on.locator('.plan').evaluate((plan) => plan.getScreenCTM().a)

/** The middle of a piece's box on the screen. */
async function middle(locator) {
  await locator.scrollIntoViewIfNeeded()
  const box = await locator.boundingBox()
  return [box.x + box.width / 2, box.y + box.height / 2]
}

/** What the panel says of the place of the selected piece. */
const placeOf = async (on) => [Number(await on.getByLabel('Right, m').inputValue()), Number(await on.getByLabel('Away, m').inputValue())]

const isNear = (a, b, why) => a.forEach((value, axis) => assert.ok(Math.abs(value - b[axis]) <= 0.0101, `${why}: ${a} is not ${b}`))

// A photo that shows no room is refused, with what to do, beside the picture.
await signIn()
await page.getByRole('link', { name: 'Studio' }).click()
await page.getByRole('link', { name: 'Staging studio' }).click()
await page.getByRole('heading', { name: 'Staging studio' }).waitFor()
await page.getByTestId('photo').setInputFiles(join(photos, '03.jpg'))
await page.getByRole('img', { name: '03' }).waitFor()
for (const style of ['Modern', 'Japandi', 'Mid-century']) await page.getByLabel(style, { exact: true }).uncheck()
await page.getByLabel('Room', { exact: true }).selectOption('living_room')
await page.getByRole('button', { name: 'Make a draft' }).click()
await page.getByRole('alert').filter({ hasText: 'This room was not furnished' }).waitFor({ timeout: 60 * SECOND })
await page.getByText('Choose a photo that shows the floor').waitFor()
await until('the photo beside the reason', () => page.evaluate(() => document.querySelector('.waiting')?.naturalWidth > 0))
await check('staging-refused')
await page.getByRole('link', { name: 'Another photo' }).click()

// Drafts of two styles.
await page.getByTestId('photo').setInputFiles(join(photos, '01_living-room_empty.jpg'))
await until('the room, guessed', async () => (await page.getByLabel('Room', { exact: true }).inputValue()) === 'living_room')
for (const style of ['Japandi', 'Mid-century']) await page.getByLabel(style, { exact: true }).uncheck()
await check('staging-start')
sent.length = 0
await page.getByRole('button', { name: 'Make 2 drafts' }).click()
await page.locator('.plan').waitFor({ timeout: 90 * SECOND })
assert.deepEqual(sent.map(({ options }) => [options.style_prompt, options.quality]), [['scandinavian', 'draft'], ['modern', 'draft']])
const draft = jobOf(page.url())
const { output } = await api(`/jobs/${draft}`)
const { furniture } = output

// The plan paints large pieces first: two that stand on the floor, and are no rug.
const order = furniture.map((_, at) => at).sort((a, b) => furniture[b].size[0] * furniture[b].size[1] - furniture[a].size[0] * furniture[a].size[1])
const [first, second] = order.filter((at) => furniture[at].elevation === 0 && furniture[at].size[2] > 0.3)
assert.ok(second !== undefined, 'the room has two pieces')

// By mouse, on the plan: 30 cm to the right, 25 cm toward the camera.
const meter = await meterOf(page)
const [x, y] = await middle(pieceOn(page, order.indexOf(first)))
await page.mouse.move(x, y)
await page.mouse.down()
await page.mouse.move(x + meter * 0.1, y + meter * 0.2, { steps: 4 })
await page.mouse.move(x + meter * 0.3, y + meter * 0.25, { steps: 4 })
await page.mouse.up()
const moved = await placeOf(page)
isNear(moved, [furniture[first].position[0] + 0.3, furniture[first].position[1] - 0.25], 'moved by mouse')

// Turned by its handle, undone and redone by keyboard; the picture moves it, too, and a reload loses nothing.
await page.getByRole('button', { name: 'Turn left by 15°' }).click()
assert.equal(await page.getByLabel('Turn, °').inputValue(), String((Math.round(furniture[first].turn * 10) / 10 + 15) % 360))
await page.keyboard.press('Control+z')
const handled = pieceOn(page, order.indexOf(first))
await handled.click()
isNear(await placeOf(page), moved, 'undone')
const handle = page.getByTestId('turn').locator('circle').last()
const [handleX, handleY] = await middle(handle)
await page.mouse.move(handleX, handleY)
await page.mouse.down()
await page.mouse.move(handleX + 40, handleY + 30, { steps: 5 })
await page.mouse.up()
assert.notEqual(Number(await page.getByLabel('Turn, °').inputValue()), furniture[first].turn)
await page.getByRole('button', { name: 'Undo' }).click()
await handled.click()
const outline = page.locator('.board .outline.selected')
const [pictureX, pictureY] = await middle(outline)
await page.mouse.move(pictureX, pictureY)
await page.mouse.down()
await page.mouse.move(pictureX + 25, pictureY + 6, { steps: 5 })
await page.mouse.up()
const [dragged] = await placeOf(page)
assert.ok(dragged > moved[0] + 0.02, `the picture moves it to the right: ${dragged}`)
await page.getByRole('button', { name: 'Undo' }).click()
await page.reload()
await page.locator('.plan').waitFor()
await page.getByText('Changed since this picture').waitFor()
await pieceOn(page, order.indexOf(first)).click()
isNear(await placeOf(page), moved, 'after a reload')

// By keyboard: an arrow key moves by 5 cm, Delete removes, and it can be undone.
await pieceOn(page, order.indexOf(first)).focus()
await page.keyboard.press('ArrowLeft')
isNear(await placeOf(page), [moved[0] - 0.05, moved[1]], 'moved by keyboard')
await page.keyboard.press('Delete')
assert.equal(await page.locator('.plan .piece').count() < furniture.length, true)
await page.keyboard.press('Control+z')
await page.keyboard.press('Control+z')
await check('staging-arrange')

// By touch, in a browser of its own: the other piece, 20 cm to the left and 15 cm toward the camera; then the final picture.
const phone = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
phone.page.on('request', note)
await signIn(phone.page)
await phone.page.goto(`${url}/console/#/studio/staging/${draft}`)
await phone.page.locator('.plan').waitFor()
const touch = await phone.context.newCDPSession(phone.page)
const finger = (type, ...at) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: at.length > 0 ? [{ x: at[0], y: at[1] }] : [] })
const other = pieceOn(phone.page, order.indexOf(second))
const [touchX, touchY] = await middle(other)
const touchMeter = await meterOf(phone.page)
await finger('touchStart', touchX, touchY)
for (const share of [0.3, 0.6, 1]) await finger('touchMove', touchX - touchMeter * 0.2 * share, touchY + touchMeter * 0.15 * share)
await finger('touchEnd')
const touched = await placeOf(phone.page)
isNear(touched, [furniture[second].position[0] - 0.2, furniture[second].position[1] - 0.15], 'moved by touch')
await check('staging-touch', phone.page)
await phone.page.close()

// The same in the first browser, so that both are in one arrangement; a piece swapped for that of the other draft, and one removed.
await page.getByText('Draft', { exact: true }).nth(1).waitFor({ timeout: 60 * SECOND })
await pieceOn(page, order.indexOf(second)).click()
await page.getByLabel('Swap for').selectOption({ index: 1 })
await page.getByLabel('Right, m').fill(String(touched[0]))
await page.getByLabel('Away, m').fill(String(touched[1]))
await page.getByLabel('Away, m').press('Enter')
// The last piece, so that the others keep their places in the list.
const last = furniture.length - 1
assert.ok(last > Math.max(first, second), 'the last piece is a third one')
await page.getByRole('list', { name: 'Pieces' }).getByRole('button').nth(last).click()
await page.getByRole('button', { name: 'Remove', exact: true }).click()
sent.length = 0
await page.getByRole('button', { name: 'Render the final picture' }).click()
const final = await until('the final picture', () => { const id = jobOf(page.url()); return id !== draft && id })
const [{ image_url: photo, options }] = sent
assert.equal(options.quality, 'final')
assert.equal(options.arrangement.length, furniture.length - 1)
assert.notEqual(options.arrangement[second].recipe, furniture[second].recipe)
isNear(options.arrangement[first].position, moved, 'what was sent of the first piece')
isNear(options.arrangement[second].position, touched, 'what was sent of the second piece')
await page.locator('.plan').waitFor({ timeout: 120 * SECOND })
const made = (await api(`/jobs/${final}`)).output
assert.equal(made.furniture.length, furniture.length - 1)
assert.equal(made.furniture[second].recipe, options.arrangement[second].recipe)
isNear(made.furniture[first].position.slice(0, 2), moved, 'where the first piece is in the final picture')
isNear(made.furniture[second].position.slice(0, 2), touched, 'where the second piece is in the final picture')

// Before and after with the mask, the floor, and the list of pictures.
await page.getByLabel('Compare', { exact: true }).check()
await page.getByLabel('Show what changed').check()
await until('the mask', () => page.evaluate(() => document.querySelector('.mask')?.naturalWidth > 0))
await check('staging-compare')
await page.getByLabel('Correct the floor').check()
await page.getByLabel('Set a known length').check()
const corner = page.getByRole('button', { name: 'Corner 2 of 4' })
await corner.focus()
await page.keyboard.press('ArrowDown')
await check('staging-floor')
sent.length = 0
await page.getByLabel('Use these corners').uncheck()
await page.getByLabel('Length in meters').fill('2.4')
await page.getByRole('button', { name: 'Draft with this floor' }).click()
await until('the correction', () => sent[0])
assert.equal(sent[0].options.known_length.meters, 2.4)
assert.equal(sent[0].options.arrangement, undefined)
const corrected = await until('the corrected picture', () => { const id = jobOf(page.url()); return id !== final && id })
await until('its end', async () => ['completed', 'failed'].includes((await api(`/jobs/${corrected}`)).status), 90)
await page.goto(`${url}/console/#/studio/staging/${final}`)
await page.locator('.plan').waitFor()
await page.getByRole('list', { name: 'Pieces' }).getByRole('button').first().click()
await checkPseudo('staging')

// A piece outside the room is refused; the picture before still has the change, to take it back.
await page.getByRole('list', { name: 'Pieces' }).getByRole('button').first().click()
await page.getByLabel('Right, m').fill('50')
await page.getByLabel('Right, m').press('Enter')
await page.getByRole('button', { name: 'Render a draft' }).click()
await page.getByRole('alert').filter({ hasText: 'stands outside the room' }).waitFor({ timeout: 60 * SECOND })
await page.getByRole('button', { name: 'Back to the picture before' }).click()
await page.getByText('Changed since this picture').waitFor()
assert.equal(jobOf(page.url()), final)
await page.getByRole('button', { name: 'Undo' }).click()
await page.getByText('As in the picture').waitFor()
// From a photo of a listing.
const listing = await api('/listings', { method: 'POST', body: JSON.stringify({ reference: `RX-${Date.now()}`, photos: [{ image_url: photo, title: 'Salon', room_type: 'bedroom', empty: true }] }) })
await page.goto(`${url}/console/#/listings/${listing.listing_id}`)
await page.getByRole('button', { name: 'Salon' }).click()
await page.getByRole('link', { name: 'Open in the staging studio' }).click()
await until('its room', async () => (await page.getByLabel('Room', { exact: true }).inputValue()) === 'bedroom')
await page.getByRole('button', { name: 'Make 4 drafts' }).waitFor()
await finish()
console.log('console: furniture moved by mouse and touch is where it was put')
