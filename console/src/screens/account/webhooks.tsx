// The webhooks of the organization.

import { useEffect, useState } from 'preact/hooks'
import { createWebhook, listWebhooks } from '../../api/account'
import type { EventType, Webhook } from '../../api/account'
import { Refused } from '../../api/client'
import { t } from '../../messages'
import { account as m } from '../../messages/account'
import { sayError } from '../../notices'
import { Curl } from '../../parts/curl'
import { State } from '../../parts/state'
import { go } from '../../route'
import { keepSecret } from './webhook-secret'

export const EVENTS: EventType[] = ['job.queued', 'job.running', 'job.awaiting_input', 'job.completed', 'job.failed', 'listing.reviewed']

const stateOf = ({ enabled, failing_since }: Webhook): 'on' | 'off' | 'failing' =>
  enabled ? (failing_since ? 'failing' : 'on') : 'off'

const KINDS = { on: 'good', off: 'quiet', failing: 'bad' } as const

export const HookState = ({ webhook }: { webhook: Webhook }) => {
  const state = stateOf(webhook)
  return <State kind={KINDS[state]} name={m().states[state]} />
}

export function WebhooksScreen({ canChange }: { canChange: boolean }) {
  const [webhooks, setWebhooks] = useState<Webhook[] | null>(null)
  useEffect(() => { listWebhooks().then(setWebhooks, sayError) }, [])
  return (
    <>
      <p class="quiet">{m().hooksHint}</p>
      {webhooks?.length === 0 && (
        <section class="teach" aria-label={m().noHooks}>
          <h2>{m().noHooks}</h2>
          <p class="quiet">{m().noHooksHint}</p>
          <ol class="steps">
            {m().hookSteps.map(([title, text], at) => (
              <li key={title}><span class="number" aria-hidden="true">{at + 1}</span><h3>{title}</h3><p class="quiet">{text}</p></li>
            ))}
          </ol>
        </section>
      )}
      <div class={webhooks?.length === 0 ? '' : 'columns account-columns'}>
        {!webhooks && <p class="quiet">{t().loading}</p>}
        {webhooks && webhooks.length > 0 && (
          <ul class="card lines hooks">
            {webhooks.map((webhook) => (
              <li key={webhook.webhook_id}>
                <a class="grow" href={`#/account/webhooks/${webhook.webhook_id}`}>
                  <span class="name ellipsis">{webhook.description || webhook.url}</span>
                  {webhook.description && <span class="quiet small ellipsis">{webhook.url}</span>}
                  <span class="quiet small">{webhook.events.map((event) => m().eventNames[event] ?? event).join(', ')}</span>
                </a>
                <HookState webhook={webhook} />
              </li>
            ))}
          </ul>
        )}
        <aside class="card" aria-labelledby="add-hook">
          <h2 id="add-hook">{m().addHook}</h2>
          <HookForm canChange={canChange} />
        </aside>
      </div>
      <Curl commands={`curl -s "$BASE/v1/webhooks" -H "X-API-Key: $KEY"\n\ncurl -s "$BASE/v1/webhooks" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\\n  -d '{"url": "https://example.com/aerie", "events": ["job.completed", "job.failed"]}'`} />
    </>
  )
}

function HookForm({ canChange }: { canChange: boolean }) {
  const [fields, setFields] = useState<HookFields>({ url: '', description: '', events: ['job.awaiting_input', 'job.completed', 'job.failed'] })
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      const { description, ...rest } = fields
      const created = await createWebhook({ ...rest, ...(description ? { description } : {}) })
      keepSecret(created)
      go(`/account/webhooks/${created.webhook_id}`)
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : t().offline)
      setBusy(false)
    }
  }
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <HookInputs fields={fields} change={setFields} canChange={canChange} />
      {problem && <p class="error small" role="alert">{problem}</p>}
      {!canChange && <p class="quiet small">{m().needsGenerate}</p>}
      <button class="primary" type="submit" disabled={isBusy || !canChange || fields.events.length === 0}>{isBusy ? m().adding : m().add}</button>
    </form>
  )
}

export interface HookFields {
  url: string
  description: string
  events: EventType[]
}

/** What is chosen of a webhook, when it is added and later. */
export function HookInputs({ fields, change, canChange }: { fields: HookFields; change: (fields: HookFields) => void; canChange: boolean }) {
  const toggle = (event: EventType) =>
    change({ ...fields, events: EVENTS.filter((one) => (one === event ? !fields.events.includes(one) : fields.events.includes(one))) })
  return (
    <fieldset class="stack" disabled={!canChange}>
      <label class="field"><span>{m().url}</span>
        <input
          type="url" required maxLength={2048} placeholder="https://example.com/aerie" value={fields.url}
          onInput={(event) => change({ ...fields, url: event.currentTarget.value })}
        />
      </label>
      <label class="field"><span>{m().description}</span>
        <input maxLength={200} placeholder={m().descriptionHint} value={fields.description} onInput={(event) => change({ ...fields, description: event.currentTarget.value })} />
      </label>
      <fieldset class="scope-list">
        <legend>{m().events}</legend>
        {EVENTS.map((event) => (
          <label key={event} class="check">
            <input type="checkbox" checked={fields.events.includes(event)} onChange={() => toggle(event)} />
            <span>{m().eventNames[event]} <code class="quiet">{event}</code></span>
          </label>
        ))}
      </fieldset>
    </fieldset>
  )
}
