// One webhook: its state, its settings, its deliveries.

import { useCallback, useEffect, useState } from 'preact/hooks'
import { changeWebhook, deleteWebhook, getWebhook, listDeliveries, rotateSecret, testWebhook } from '../../api/account'
import type { Delivery, EventType, Webhook, WebhookChange } from '../../api/account'
import { Refused } from '../../api/client'
import { day, t } from '../../messages'
import { account as m } from '../../messages/account'
import { say, sayError } from '../../notices'
import { Curl } from '../../parts/curl'
import { Icon } from '../../parts/icon'
import { Menu } from '../../parts/menu'
import { Secret } from '../../parts/secret'
import { go } from '../../route'
import { Deliveries, moment } from './deliveries'
import { fresh, keepSecret } from './webhook-secret'
import { HookInputs, HookState } from './webhooks'
import type { HookFields } from './webhooks'

const PAGE = 25
const MOST = 100
/** How often deliveries are looked at: while some are on their way, and otherwise. */
const EVERY = { pending: 2000, settled: 10_000 }

const curl = (id: string) => `curl -s "$BASE/v1/webhooks/${id}" -H "X-API-Key: $KEY"
curl -s -X PATCH "$BASE/v1/webhooks/${id}" -H "X-API-Key: $KEY" -H "Content-Type: application/json" -d '{"enabled": false}'
curl -s -X POST "$BASE/v1/webhooks/${id}/test" -H "X-API-Key: $KEY"
curl -s -X POST "$BASE/v1/webhooks/${id}/rotate-secret" -H "X-API-Key: $KEY"
curl -s "$BASE/v1/webhooks/${id}/deliveries" -H "X-API-Key: $KEY"
curl -s -X POST "$BASE/v1/webhooks/${id}/deliveries/$DELIVERY/replay" -H "X-API-Key: $KEY"`

export function WebhookScreen({ id, canChange }: { id: string; canChange: boolean }) {
  const [webhook, setWebhook] = useState<Webhook | null>(null)
  const [sent, setSent] = useState<{ deliveries: Delivery[]; total: number } | null>(null)
  const [limit, setLimit] = useState(PAGE)
  const [problem, setProblem] = useState('')
  const load = useCallback(async () => {
    try {
      const [found, deliveries] = await Promise.all([getWebhook(id), listDeliveries(id, limit)])
      setWebhook(found)
      setSent(deliveries)
      setProblem('')
    } catch (error) {
      setProblem(error instanceof Refused ? (error.status === 404 ? m().gone : error.message) : t().offline)
    }
  }, [id, limit])
  const isPending = sent?.deliveries.some((delivery) => delivery.status === 'pending' && delivery.attempts === 0) ?? false
  useEffect(() => void load(), [load])
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) void load() }, isPending ? EVERY.pending : EVERY.settled)
    return () => clearInterval(timer)
  }, [load, isPending])
  useEffect(() => () => { fresh.value = null }, [])

  if (!webhook) return <p class={problem ? 'error' : 'quiet'} role={problem ? 'alert' : undefined}>{problem || t().loading}</p>

  const run = async (action: () => Promise<unknown>, done?: string) => {
    try {
      await action()
      if (done) say(done)
    } catch (error) {
      sayError(error)
    }
    await load()
  }
  const rotate = () => { if (confirm(m().rotateAsk)) void run(async () => keepSecret(await rotateSecret(id))) }
  const remove = () => {
    if (!confirm(m().removeAsk(webhook.url))) return
    deleteWebhook(id).then(() => go('/account/webhooks'), sayError)
  }
  const secret = fresh.value?.id === id ? fresh.value.secret : null
  return (
    <>
      <div class="heading">
        <a class="plain" href="#/account/webhooks" aria-label={m().back}><Icon name="left" /></a>
        <h2 class="ellipsis">{webhook.description || webhook.url}</h2>
        <HookState webhook={webhook} />
        <span class="grow" />
        <button type="button" disabled={!canChange} onClick={() => void run(() => testWebhook(id), m().tested)}>{m().test}</button>
        <button type="button" disabled={!canChange} onClick={() => void run(() => changeWebhook(id, { enabled: !webhook.enabled }))}>{webhook.enabled ? m().pause : m().resume}</button>
        <Menu name={t().more}>
          <button type="button" disabled={!canChange} onClick={rotate}>{m().rotate}</button>
          <button type="button" class="danger" disabled={!canChange} onClick={remove}>{m().remove}</button>
        </Menu>
      </div>
      {secret && <Secret name={m().secret} value={secret} note={m().secretOnce} />}
      {!canChange && <p class="hint">{m().needsGenerate}</p>}
      {problem && <p class="error small" role="alert">{problem}</p>}
      {webhook.disabled_at && <p class="hint">{m().disabledBecause(day(webhook.disabled_at), webhook.disabled_because ?? '')}</p>}
      {webhook.enabled && webhook.failing_since && <p class="error">{m().failingSince(moment(webhook.failing_since))}</p>}
      {webhook.old_secret_until && Date.parse(webhook.old_secret_until) > Date.now() && <p class="quiet small">{m().oldSecret(moment(webhook.old_secret_until))}</p>}
      <div class="columns account-columns">
        <section class="card" aria-labelledby="deliveries">
          <h2 id="deliveries">{m().deliveries}</h2>
          {sent && <Deliveries webhook={id} deliveries={sent.deliveries} canChange={canChange} changed={load} />}
          {sent && sent.total > sent.deliveries.length && limit < MOST && (
            <button type="button" onClick={() => setLimit(Math.min(limit + PAGE, MOST))}>{m().older}</button>
          )}
          <p class="quiet small">{m().kept}</p>
        </section>
        <Settings key={id} webhook={webhook} canChange={canChange} save={(changes) => run(() => changeWebhook(id, changes), m().saved)} />
      </div>
      <Curl commands={curl(id)} />
    </>
  )
}

const fieldsOf = ({ url, description, events }: Webhook): HookFields => ({ url, description: description ?? '', events: events as EventType[] })

interface SettingsParts {
  webhook: Webhook
  canChange: boolean
  save: (changes: WebhookChange) => Promise<void>
}

function Settings({ webhook, canChange, save }: SettingsParts) {
  const [fields, setFields] = useState(() => fieldsOf(webhook))
  const isChanged = JSON.stringify(fields) !== JSON.stringify(fieldsOf(webhook))
  const submit = (event: Event) => {
    event.preventDefault()
    void save(fields)
  }
  return (
    <aside class="card" aria-labelledby="hook-settings">
      <h2 id="hook-settings">{m().edit}</h2>
      <form class="stack" onSubmit={submit}>
        <HookInputs fields={fields} change={setFields} canChange={canChange} />
        <button type="submit" disabled={!canChange || !isChanged || fields.events.length === 0}>{m().save}</button>
      </form>
    </aside>
  )
}
