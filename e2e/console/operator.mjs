// An operator's day: sign-in, an overview, an organization with a key, a failure with its reason, the doctor. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { SECOND, check, checkPseudo, finish, launch, until } from './harness.mjs'

const { AERIE_URL: url, AERIE_ADMIN_URL: admin, AERIE_KEY: clientKey, AERIE_BIN: aerie, DATA: data } = process.env
const command = (...words) => execFileSync(aerie, ['admin', ...words, '--data', data]).toString()
const { key } = JSON.parse(command('operator', 'create', 'Ada Operator', '--json'))

// Nothing of it is on the listener for clients.
for (const path of ['/operator/', '/operator/api/session', '/operator/api/queue']) {
  assert.equal((await fetch(url + path)).status, 404, path)
}

const { page } = await launch()
await page.goto(`${admin}/`)
assert.equal(new URL(page.url()).pathname, '/operator/')
await page.getByRole('heading', { name: 'Aerie operations' }).waitFor()
await check('operator-sign-in')
await page.getByLabel('Operator key').fill(clientKey)
await page.keyboard.press('Enter')
await page.getByRole('alert').filter({ hasText: 'not a valid operator key' }).waitFor()
await page.getByLabel('Operator key').fill(key)
await page.keyboard.press('Enter')
await page.getByRole('heading', { name: 'Overview' }).waitFor()
const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
assert.ok(!stored.includes(key), 'the page keeps the key')

// A job that fails shows up by itself, with its reason and its input without what opens its link.
await page.getByText('Ready', { exact: true }).waitFor()
const nodes = page.getByRole('region', { name: 'Servers and workers' })
await nodes.getByRole('rowheader', { name: 'Server' }).waitFor()
await nodes.getByRole('rowheader', { name: 'Worker' }).first().waitFor()
// Beside those of the tests before.
const failures = page.getByText('ADDRESS_NOT_FOUND')
const before = await failures.count()
const submitted = await fetch(`${url}/v1/drone-footage/generate`, {
  method: 'POST',
  headers: { 'X-API-Key': clientKey, 'Content-Type': 'application/json' },
  body: JSON.stringify({ address: '999 Nowhere Road, 99999 Atlantis, see https://maps.test/x?token=s3cr3t' }),
})
assert.equal(submitted.status, 202)
await failures.nth(before).waitFor({ timeout: 90 * SECOND })
await check('operator-overview')
await page.getByRole('link', { name: 'All failures' }).click()
await page.getByRole('button', { name: /Details of ADDRESS_NOT_FOUND/ }).first().click()
await page.getByText('999 Nowhere Road').last().waitFor()
assert.ok(!(await page.content()).includes('s3cr3t'), 'a token is shown')
await check('operator-failures')
await page.getByRole('combobox', { name: 'Kind' }).selectOption('markup')
await page.getByText('No failures match').waitFor()
await page.getByRole('combobox', { name: 'Kind' }).selectOption('')

// An organization with terms and a key that works until it is revoked.
await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
await page.getByRole('rowheader', { name: 'Acme Homes' }).first().waitFor()
await page.getByLabel('New organization: Name').fill('Lakeside Homes')
await page.getByRole('combobox', { name: 'Plan' }).selectOption('growth')
await page.getByRole('button', { name: 'Create' }).click()
await page.getByRole('heading', { name: 'Lakeside Homes' }).waitFor()
await page.getByLabel('Jobs a month').fill('50')
await page.getByRole('group', { name: 'Kinds of job' }).getByLabel('Video clips').uncheck()
await page.getByRole('group', { name: /Own prices/ }).getByLabel('Drone footage').fill('900')
await page.getByRole('button', { name: 'Save changes' }).click()
await page.getByText('Saved').waitFor()
const shown = JSON.parse(command('org', 'list', '--json')).find(({ name }) => name === 'Lakeside Homes')
assert.deepEqual([shown.plan, shown.monthly_quota, shown.disabled, shown.prices], ['growth', 50, ['video_clip'], { drone_footage: 900 }])
await page.getByRole('button', { name: 'New key' }).click()
const created = await page.locator('.secret').textContent()
const jobs = async () => (await fetch(`${url}/v1/jobs`, { headers: { 'X-API-Key': created } })).status
assert.equal(await jobs(), 200)
await check('operator-organization')
await page.getByRole('button', { name: /^Revoke: / }).click()
await page.getByRole('alert').getByRole('button', { name: 'Revoke' }).click()
await page.getByRole('cell', { name: 'revoked' }).waitFor()
assert.equal(await jobs(), 401)
await page.getByRole('link', { name: /All organizations/ }).click()
await page.getByLabel('Find by name or id').fill('lakeside')
await until('one organization is found', async () => (await page.getByRole('rowheader', { name: 'Acme Homes' }).count()) === 0)
await page.getByLabel('Find by name or id').fill('')
await page.getByRole('rowheader', { name: 'Acme Homes' }).first().waitFor()
await check('operator-organizations')

// The doctor.
await page.getByRole('navigation').getByRole('link', { name: 'Doctor' }).click()
await page.getByRole('heading', { name: 'Not run since the server started' }).waitFor()
await check('operator-doctor-empty')
await page.getByRole('button', { name: 'Run the checks' }).click()
await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 120 * SECOND })
await page.getByRole('rowheader', { name: /disk space/ }).waitFor()
await page.getByRole('rowheader', { name: /database/ }).waitFor()
await check('operator-doctor')

// In German, and in the longest language, nothing is cut.
await page.evaluate(() => localStorage.setItem('language', 'de'))
await page.reload()
await page.getByRole('heading', { name: 'Diagnose' }).waitFor()
await page.evaluate(() => localStorage.setItem('language', 'pseudo'))
for (const path of ['', 'organizations', 'failures', 'doctor']) {
  await page.goto(`${admin}/operator/#/${path}`)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(1 * SECOND)
  await checkPseudo(`operator-${path || 'overview'}`)
}
await page.evaluate(() => localStorage.setItem('language', 'en'))
await page.reload()

// A revoked key ends the session.
const own = JSON.parse(command('operator', 'list', '--json')).find(({ name }) => name === 'Ada Operator')
command('operator', 'revoke', own.key_id)
await page.getByText('Your session is over').waitFor({ timeout: 15 * SECOND })
await finish(admin)
