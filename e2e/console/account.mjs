// The account: usage to read, keys that work until they are revoked, webhooks with their deliveries. Run by e2e/console.sh.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { SECOND, api, check, checkPseudo, finish, key, launch, open, signIn, until, url } from './harness.mjs'

const { PHOTOS: folder } = process.env

/** What a program gets that sends a request by curl. */
const curl = (given, ...words) =>
  execFileSync('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `X-API-Key: ${given}`, ...words]).toString()

// A server of the client's own. What it answers is changed on the way.
const received = []
let answer = 204
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => { body += part })
  request.on('end', () => {
    received.push({ headers: request.headers, body, json: JSON.parse(body) })
    response.writeHead(answer).end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

async function enhance() {
  const headers = { 'X-API-Key': key, 'Content-Type': 'image/jpeg' }
  const response = await fetch(`${url}/v1/uploads`, { method: 'POST', headers, body: readFileSync(join(folder, '03.jpg')) })
  const { image_url } = (await response.json()).data
  const { job_id: id } = await api('/image-enhance/generate', { method: 'POST', body: JSON.stringify({ image_url }) })
  await until('the job', async () => (await api(`/jobs/${id}`)).status === 'completed', 300)
}

const { page } = await launch()
const dialogs = []
page.on('dialog', (dialog) => { dialogs.push(dialog.message()); void dialog.accept() })
await signIn()

// Usage, at its old address, too.
await page.goto(`${url}/console/#/usage`)
await page.getByRole('heading', { name: 'Nothing was billed in this time' }).waitFor()
await check('account-empty')
await enhance()
await page.getByLabel('30 days').check()
await page.getByRole('cell', { name: 'Photo enhancement' }).waitFor()
const chart = page.getByRole('slider', { name: 'Day' })
const today = await chart.getAttribute('aria-valuetext')
assert.match(today, /^\w+ \d+: \d+\.\d\d, Photo enhancement \d+\.\d\d, time before 0\.00$/)
await chart.focus()
await page.keyboard.press('ArrowLeft')
assert.match(await chart.getAttribute('aria-valuetext'), /: nothing billed, time before 0\.00$/)
await page.getByText('nothing billed').waitFor()
const box = await chart.boundingBox()
await page.mouse.move(box.x + box.width - 5, box.y + 80)
await until('the day under the pointer', async () => (await chart.getAttribute('aria-valuetext')) === today)
await page.getByText('Nothing in the time before').waitFor()
const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()])
const csv = readFileSync(await download.path(), 'utf8').trim().split('\r\n')
assert.equal(csv.length, 2, csv.join('\n'))
await check('account-usage')
await checkPseudo('account-usage')

// A key is created, works, and is revoked.
await page.getByRole('link', { name: 'Account' }).click()
await page.getByRole('link', { name: 'Keys' }).click()
await page.getByText('this session').waitFor()
await page.getByLabel(/Generate/).uncheck()
await page.getByLabel(/Usage/).check()
await page.getByLabel('Valid for').selectOption('30')
await check('account-keys')
await page.getByRole('button', { name: 'Create key' }).click()
const made = await page.getByLabel('API key').inputValue()
await check('account-key-created')
assert.equal(curl(made, `${url}/v1/jobs`), '200')
assert.equal(curl(made, '-X', 'POST', `${url}/v1/webhooks`), '403', 'it may not change anything')
await page.reload()
await page.getByText('this session').waitFor()
assert.equal(await page.getByLabel('API key').count(), 0, 'the key is not shown again')
// A session of it sees keys, and can change none.
const other = await open()
const theirs = other.page
await theirs.goto(`${url}/console/#/account/keys`)
const enter = async (given) => {
  await theirs.getByLabel('API key').fill(given)
  await theirs.keyboard.press('Enter')
  await theirs.getByText('this session').waitFor()
}
await enter(made)
await theirs.getByText('sign in with a key that has the scopes read, generate and usage').waitFor()
assert.ok(await theirs.getByRole('button', { name: 'Create key' }).isDisabled())
assert.equal(await theirs.getByRole('button', { name: /^Revoke/ }).count(), 0)
await page.getByRole('listitem').filter({ hasNotText: 'this session' }).getByRole('button', { name: /^Revoke/ }).click()
await page.getByText('The key is revoked').waitFor()
assert.match(dialogs.at(-1), /refused at once/)
assert.equal(curl(made, `${url}/v1/jobs`), '401')
await page.getByText('1 revoked or expired key').waitFor()
await theirs.reload()
await theirs.getByRole('heading', { name: 'Sign in to Aerie' }).waitFor()

// Whoever revokes the key of the session is signed out.
for (const scope of [/Generate/, /Usage/]) await page.getByLabel(scope).check()
await page.getByRole('button', { name: 'Create key' }).click()
const second = await page.getByLabel('API key').inputValue()
await enter(second)
theirs.on('dialog', (dialog) => { dialogs.push(dialog.message()); void dialog.accept() })
await theirs.getByRole('listitem').filter({ hasText: 'this session' }).getByRole('button', { name: /^Revoke/ }).click()
await theirs.getByText('Your session is over').waitFor()
assert.match(dialogs.at(-1), /signs you out at once/)
assert.equal(curl(second, `${url}/v1/jobs`), '401')
await checkPseudo('account-keys')

// A webhook, with a secret that is shown once.
await page.getByRole('link', { name: 'Webhooks' }).click()
await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
await check('account-webhooks-empty')
await page.getByLabel('Address').fill('ftp://127.0.0.1/')
await page.getByRole('button', { name: 'Add', exact: true }).click()
await page.getByRole('alert').filter({ hasText: '`url`' }).waitFor()
await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.address().port}/aerie`)
await page.getByLabel('Description').fill('Media system')
await page.getByRole('button', { name: 'Add', exact: true }).click()
const secret = await page.getByLabel('Signing secret').inputValue()
assert.match(secret, /^whsec_/)
await check('account-webhook-new')
const isSigned = ({ headers, body }, by) => {
  const signed = createHmac('sha256', Buffer.from(by.slice(6), 'base64')).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')
  return headers['webhook-signature'].split(' ').includes(`v1,${signed}`)
}

// A test that fails, and is sent again.
answer = 500
await page.getByRole('button', { name: 'Send a test' }).click()
const row = page.getByRole('listitem').filter({ hasText: /^Test/ }).last()
await row.getByText('HTTP 500').waitFor()
await row.getByText('pending').waitFor()
await page.getByText('Every attempt has failed since').waitFor()
answer = 204
await row.getByRole('button', { name: /^Send again/ }).click()
await row.getByText('delivered').waitFor()
await row.getByText('HTTP 204').waitFor()
assert.ok(received.length >= 2 && received.every(({ json }) => json.type === 'webhook.test'))
assert.ok(received.every((request) => isSigned(request, secret)))

// A real event, delivered and replayed.
await enhance()
const completed = page.getByRole('listitem').filter({ hasText: /^Media ready/ })
await completed.getByText('delivered').waitFor({ timeout: 60 * SECOND })
const events = () => received.filter(({ json }) => json.type === 'job.completed')
assert.equal(events().length, 1)
await completed.getByRole('button', { name: /^Send again/ }).click()
await until('the event again', () => events().length === 2)
assert.equal(events()[0].headers['webhook-id'], events()[1].headers['webhook-id'])
await check('account-webhook')

// The secret is replaced: both sign.
await page.getByRole('button', { name: 'More' }).click()
await page.getByRole('button', { name: 'Replace the secret' }).click()
await until('another secret', async () => {
  const shown = await page.getByLabel('Signing secret').inputValue()
  return shown !== secret && shown
})
const replaced = await page.getByLabel('Signing secret').inputValue()
await page.getByRole('button', { name: 'Send a test' }).click()
await until('a test signed by both', () => isSigned(received.at(-1), replaced) && isSigned(received.at(-1), secret))
await checkPseudo('account-webhook')

// Paused, changed, deleted.
await page.getByRole('button', { name: 'Pause' }).click()
await page.getByText('paused', { exact: true }).waitFor()
await page.getByLabel(/job\.running/).check()
await page.getByRole('button', { name: 'Save' }).click()
await page.getByText('Saved', { exact: true }).waitFor()
const [hook] = await api('/webhooks')
assert.deepEqual([hook.enabled, hook.events.includes('job.running')], [false, true])
await page.getByRole('link', { name: 'All webhooks' }).click()
await page.getByText('Media system').waitFor()
await check('account-webhooks')
await page.getByText('Media system').click()
await page.getByRole('button', { name: 'More' }).click()
await page.getByRole('button', { name: 'Delete' }).click()
await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
assert.deepEqual(await api('/webhooks'), [])

receiver.close()
await finish()
