// A clip of one photo: a preview, the clip, both side by side, and what the camera did. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { SECOND, api, check, checkPseudo, finish, launch, signIn, until } from './harness.mjs'

const { page } = await launch({ reducedMotion: 'reduce' })
const sent = []
page.on('request', (request) => {
  if (request.method() === 'POST' && request.url().endsWith('/v1/video-clip/generate')) sent.push(request.postDataJSON())
})
const jobOf = () => /clip\/([0-9a-f-]+)$/.exec(page.url())?.[1]
const movesOf = () => page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)

await signIn()
await page.getByRole('link', { name: 'Studio' }).click()
await page.getByRole('link', { name: 'Clip desk' }).click()
await page.getByRole('heading', { name: 'Clip desk' }).waitFor()
await check('clip-start')
await page.getByTestId('photo').setInputFiles(join(process.env.PHOTOS, '01_living-room_empty.jpg'))
await until('the photo', () => page.evaluate(() => document.querySelector('.waiting')?.naturalWidth > 0))

// Cards move only for those who want movement.
await page.getByLabel('Slide left').check()
assert.equal(await movesOf(), 0, 'nothing moves for people who want less motion')
await page.emulateMedia({ reducedMotion: 'no-preference' })
await until('the drawing of the chosen move', async () => (await movesOf()) > 0)
await page.emulateMedia({ reducedMotion: 'reduce' })

// A preview, with a word that is refused; a reload loses nothing.
await page.getByLabel('More, in your own words').fill('shake')
await page.getByLabel('1:1').check()
await page.getByRole('button', { name: 'Make a preview' }).click()
const preview = await until('the address of the preview', jobOf)
assert.deepEqual(sent[0].options, { prompt: 'slide left, shake', creativity_level: 'medium', frame_mode: 'first', duration: 3, resolution: '720p', aspect_ratio: '1:1' })
await page.reload()
await page.getByRole('button', { name: 'Cancel' }).waitFor()
await page.locator('video').waitFor({ timeout: 400 * SECOND })
assert.equal(await page.getByLabel('Slide left').isChecked(), true)
const { motion } = (await api(`/jobs/${preview}`)).output
await page.getByText(`shake: ${motion.refused[0].reason}`).waitFor()
await page.getByText(/^slides left, /).waitFor()

// The clip, longer by a second, beside its preview.
await page.getByLabel('Duration: 5 s').fill('4')
await page.getByLabel('Resolution').selectOption('720p')
await page.getByRole('button', { name: 'Render the clip' }).click()
const made = await until('the address of the clip', () => jobOf() !== preview && jobOf())
assert.equal(sent[1].options.duration, 4)
assert.equal(sent[1].image_url, sent[0].image_url)
await page.getByLabel('Compare with the preview').check({ timeout: 400 * SECOND })
await page.getByRole('button', { name: 'Play both' }).click()
const times = () => page.evaluate(() => [...document.querySelectorAll('video')].map((video) => video.currentTime))
await until('both play', async () => { const all = await times(); return all.length === 2 && all.every((time) => time > 0.5) })
await page.getByRole('button', { name: 'Pause both' }).click()
const [long, short] = await page.evaluate(() => [...document.querySelectorAll('video')].map((video) => video.currentTime / video.duration))
assert.ok(Math.abs(long - short) < 0.12, `both are at the same place of the path: ${long} and ${short}`)
assert.equal((await api(`/jobs/${made}`)).output.duration, 4)
await check('clip-compared')
await checkPseudo('clip')
await finish()
console.log('console: a clip beside its preview')
