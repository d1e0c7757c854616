// From an address to a measured boundary and its film: with a mouse, with a keyboard, and with a finger. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { SECOND, api, check, checkPseudo, finish, launch, open, signIn, until, url } from './harness.mjs'

const ADDRESS = '12 Larkspur Lane, 10001 Featherstone Vale'
const SIDE = 2048
const { page } = await launch()
// The sample town is built when it is first needed.
await api('/addresses?q=Larkspur')
await signIn()
await page.getByRole('link', { name: 'Studio' }).click()
await page.getByText('What you make here is listed below').waitFor()
await check('studio-empty')

/** The corners that the page shows, in pixels of the picture. */
const corners = (on) => on.locator('.corner .dot').evaluateAll((dots) => dots.map((dot) => [Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy'))]))
/** Where a point of the picture is on the screen, at the zoom that is shown. */
const onScreen = async (on, [x, y]) => {
  const surface = on.locator('.surface')
  const box = await surface.boundingBox()
  const [left, top, width] = (await surface.getAttribute('viewBox')).split(' ').map(Number)
  return [box.x + ((x - left) / width) * box.width, box.y + ((y - top) / width) * box.height]
}
const near = (found, wanted, by, what) => {
  assert.equal(found.length, wanted.length, what)
  for (const [at, [x, y]] of found.entries()) {
    const far = Math.hypot(x - wanted[at][0], y - wanted[at][1])
    assert.ok(far <= by, `${what}: corner ${at + 1} is ${far.toFixed(1)} pixels away`)
  }
}
const shown = async (on, id) => Number((await on.getByTestId(id).innerText()).split(' m²')[0].replaceAll(',', ''))
const annotation = (on) => on.waitForRequest((request) => request.url().endsWith('/annotate'))

// The address, by its suggestions.
await page.getByRole('link', { name: 'Boundary' }).click()
await check('boundary-start')
const field = page.getByRole('combobox', { name: 'Address' })
await field.pressSequentially('Larksp')
await page.getByRole('option', { name: 'Larkspur Lane' }).first().click()
await page.getByText('Add the house number.').waitFor()
await page.keyboard.type('12')
const house = page.getByRole('option', { name: '12 Larkspur Lane' }).first()
await house.waitFor()
assert.equal(await house.locator('svg.plan .own').count(), 1, 'a small picture of the house')
assert.equal(await field.getAttribute('aria-expanded'), 'true')
await page.keyboard.press('ArrowDown')
assert.equal(await page.locator(`#${await field.getAttribute('aria-activedescendant')}`).getAttribute('aria-selected'), 'true')
await check('boundary-suggestions')
await page.keyboard.press('Enter')
assert.equal(await field.inputValue(), ADDRESS)
assert.equal(await field.getAttribute('aria-expanded'), 'false')
await page.getByRole('button', { name: 'Make the pictures' }).click()

// The picture.
const top = page.getByRole('button', { name: 'Street at the top' })
await top.waitFor({ timeout: 90 * SECOND })
const job = /boundary\/([0-9a-f-]+)$/.exec(page.url())[1]
assert.equal((await api(`/jobs/${job}`)).input.address, ADDRESS)
await check('boundary-pictures')
await top.click()
await page.locator('.surface').waitFor()

// The keyboard: a cross that moves, corners where it is, and Enter.
await page.locator('.surface').focus()
for (const key of ['ArrowLeft', ' ', 'Shift+ArrowRight', 'Shift+ArrowRight', ' ', 'Shift+ArrowDown', 'Shift+ArrowDown', ' ', 'Enter']) await page.keyboard.press(key)
await page.locator('.outline.closed').first().waitFor()
const triangle = await corners(page)
assert.equal(triangle.length, 3)
assert.ok(triangle[0][1] === triangle[1][1] && triangle[1][0] === triangle[2][0], `not a right angle: ${triangle}`)
await page.getByRole('button', { name: 'Start over' }).click()
assert.equal((await corners(page)).length, 0)

// The mouse: four corners, closed by the first.
const drawn = [[640, 600], [1400, 650], [1350, 1400], [620, 1340]]
for (const corner of [...drawn, drawn[0]]) await page.mouse.click(...(await onScreen(page, corner)))
await page.locator('.outline.closed').first().waitFor()
near(await corners(page), drawn, 3, 'clicked')
const drag = async (from, to) => {
  await page.mouse.move(...(await onScreen(page, from)))
  await page.mouse.down()
  const [x, y] = await onScreen(page, to)
  await page.mouse.move(x - 9, y - 9)
  await page.mouse.move(x, y)
  await page.mouse.up()
}
drawn[2] = [1450, 1460]
await drag([1350, 1400], drawn[2])
near(await corners(page), drawn, 5, 'dragged')
// A corner stays within the picture.
await drag(drawn[2], [SIDE + 60, 1460])
assert.equal((await corners(page))[2][0], SIDE)
await page.keyboard.press('Control+z')
// The middle of an edge becomes a corner; undone, redone, and deleted.
await drag([(drawn[0][0] + drawn[1][0]) / 2, (drawn[0][1] + drawn[1][1]) / 2], [1020, 500])
near(await corners(page), [drawn[0], [1020, 500], ...drawn.slice(1)], 6, 'an edge was dragged')
await page.keyboard.press('Control+z')
near(await corners(page), drawn, 5, 'undone')
await page.getByRole('button', { name: 'Redo' }).click()
assert.equal((await corners(page)).length, 5)
await page.mouse.click(...(await onScreen(page, [1020, 500])))
await page.getByRole('button', { name: 'Delete corner' }).click()
near(await corners(page), drawn, 5, 'deleted')
// An outline that crosses itself is named, and cannot be submitted.
await drag(drawn[1], [500, 1000])
await page.getByText(/^Edge \d crosses edge \d/).waitFor()
assert.ok(await page.getByRole('button', { name: 'Measure the boundary' }).isDisabled())
await check('boundary-crossing')
await page.getByRole('button', { name: 'Undo' }).click()
near(await corners(page), drawn, 5, 'uncrossed')

// The keyboard: corners move by a pixel, and by ten.
await page.locator('[data-corner="0"]').focus()
await page.keyboard.press('Tab')
const [before] = (await corners(page)).slice(1)
for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowUp']) await page.keyboard.press(key)
const [after] = (await corners(page)).slice(1)
assert.deepEqual([after[0] - before[0], after[1] - before[1]].map(Math.round), [2, -10])

// Zoom keeps the outline, and a reload loses nothing.
await page.getByRole('button', { name: 'Zoom in' }).click()
const box = await page.locator('.surface').boundingBox()
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
await page.mouse.wheel(0, -300)
await until('the wheel zooms', async () => Number(await page.locator('.surface').getAttribute('data-zoom')) > 1.6)
const last = await corners(page)
await page.reload()
await page.locator('.outline.closed').first().waitFor()
assert.deepEqual(await corners(page), last, 'after a reload')
await check('boundary-drawing')
await checkPseudo('boundary-drawing')
await page.locator('.outline.closed').first().waitFor()
// Another picture has the same outline, turned.
await page.getByRole('button', { name: 'Another picture' }).click()
await page.getByRole('button', { name: 'Street at the bottom' }).click()
await page.locator('.outline.closed').first().waitFor()
near(await corners(page), last.map(([x, y]) => [SIDE - x, SIDE - y]), 0.1, 'turned')

// What is submitted is what was drawn; what is measured is what was shown.
const area = await shown(page, 'area')
const polygon = await corners(page)
const [sent] = await Promise.all([annotation(page), page.getByRole('button', { name: 'Measure the boundary' }).click()])
near(sent.postDataJSON().annotated_polygon, polygon, 0.01, 'sent')
const measured = await page.getByTestId('measured').waitFor().then(() => shown(page, 'measured'))
assert.ok(Math.abs(measured / area - 1) < 0.03, `measured ${measured} m², shown ${area} m²`)
assert.equal(await shown(page, 'drawn'), area)
const { boundary } = (await api(`/jobs/${job}`)).output
assert.ok(Math.abs(boundary.properties.area_m2 / area - 1) < 0.03, `${boundary.properties.area_m2} m² of the API`)
await check('boundary-measured')
await checkPseudo('boundary-measured')

// The film.
await page.getByRole('radio', { name: '720p' }).check()
await page.getByRole('slider').fill('6')
await page.getByRole('button', { name: 'Make the film' }).click()
await page.locator('video.film').waitFor({ timeout: 480 * SECOND })
const [film] = await api(`/jobs?job_type=markup_video`)
assert.equal(film.input.markup_job_id, job)
const { options } = film.input
assert.deepEqual([options.duration, options.resolution, options.color, options.labels], [6, '720p', '#ffd400', true])
await page.reload()
await page.locator('video.film').waitFor()
await page.getByText('The film lasts 6 seconds.').waitFor()
await check('boundary-film')

// A finger: taps, and a drag under the magnifier.
const other = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
const phone = other.page
await signIn(phone)
const { job_id: second } = await api('/markup/generate', { method: 'POST', body: JSON.stringify({ address: ADDRESS }) })
await phone.goto(`${url}/console/#/studio/boundary/${second}`)
await phone.getByRole('button', { name: 'Street at the bottom' }).tap({ timeout: 90 * SECOND })
await phone.locator('.surface').waitFor()
await phone.locator('.surface').scrollIntoViewIfNeeded()
const tapped = [[500, 500], [1500, 560], [1300, 1200], [560, 1250]]
for (const corner of [...tapped, tapped[0]]) await phone.touchscreen.tap(...(await onScreen(phone, corner)))
await phone.locator('.outline.closed').first().waitFor()
near(await corners(phone), tapped, 12, 'tapped')
const fingers = await other.context.newCDPSession(phone)
const touch = async (type, ...points) => fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
const [fromX, fromY] = await onScreen(phone, tapped[2])
const [toX, toY] = await onScreen(phone, [1500, 1400])
await touch('touchStart', [fromX, fromY])
await touch('touchMove', [fromX + 10, fromY + 10])
await phone.locator('.magnifier').waitFor()
await touch('touchMove', [toX, toY])
await touch('touchEnd')
tapped[2] = [1500, 1400]
near(await corners(phone), tapped, 12, 'dragged with a finger')
// Two fingers zoom.
const [middleX, middleY] = await onScreen(phone, [1000, 1000])
await touch('touchStart', [middleX - 30, middleY], [middleX + 30, middleY])
for (const far of [45, 60, 75, 90]) await touch('touchMove', [middleX - far, middleY], [middleX + far, middleY])
await touch('touchEnd')
await until('the pinch zooms', async () => Number(await phone.locator('.surface').getAttribute('data-zoom')) > 1.5)
near(await corners(phone), tapped, 12, 'pinched')
const small = await phone.locator('.tools button').evaluateAll((buttons) => buttons.filter((button) => button.clientWidth < 42 || button.clientHeight < 42).length)
assert.equal(small, 0, 'fingers need 44 pixels')
const byFinger = await corners(phone)
const areaByFinger = await shown(phone, 'area')
const [sentByFinger] = await Promise.all([annotation(phone), phone.getByRole('button', { name: 'Measure the boundary' }).tap()])
near(sentByFinger.postDataJSON().annotated_polygon, byFinger, 0.01, 'sent from the phone')
const measuredByFinger = await phone.getByTestId('measured').waitFor().then(() => shown(phone, 'measured'))
assert.ok(Math.abs(measuredByFinger / areaByFinger - 1) < 0.03, `measured ${measuredByFinger} m², shown ${areaByFinger} m²`)

// The studio lists what was made.
await page.goto(`${url}/console/#/studio`)
await page.getByText(ADDRESS).first().waitFor()
await until('pictures', () => page.evaluate(() => document.querySelectorAll('.cards img').length >= 3))
await check('studio')
await finish()
