// What was sent to a webhook.

import { replayDelivery } from '../../api/account'
import type { Delivery } from '../../api/account'
import { locale } from '../../messages'
import { account as m } from '../../messages/account'
import { say, sayError } from '../../notices'
import { State } from '../../parts/state'

const KINDS: Record<string, 'good' | 'bad'> = { delivered: 'good', failed: 'bad' }

/** Date and time, to the second. */
export const moment = (iso: string): string =>
  new Date(iso).toLocaleString(locale(), { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' })

interface DeliveriesParts {
  webhook: string
  deliveries: Delivery[]
  canChange: boolean
  changed: () => Promise<void>
}

export function Deliveries({ webhook, deliveries, canChange, changed }: DeliveriesParts) {
  if (deliveries.length === 0) return <p class="quiet">{m().noDeliveries}</p>
  const replay = async (delivery: Delivery) => {
    try {
      await replayDelivery(webhook, delivery.delivery_id)
      say(m().replayed)
    } catch (error) {
      sayError(error)
    }
    await changed()
  }
  return (
    <ul class="lines deliveries">
      {deliveries.map((delivery) => {
        const { delivery_id, event, job_id, created_at, status, attempts, next_attempt_at } = delivery
        const name = m().eventNames[event] ?? event
        return (
          <li key={delivery_id}>
            <div><p title={job_id ?? undefined}>{name}</p><p class="quiet small">{moment(created_at)}</p></div>
            <div><State kind={KINDS[status] ?? 'quiet'} name={m().deliveryStates[status]} /><p class="quiet small">{m().attempts(attempts)}</p></div>
            <div class="answer small">
              <Answer {...delivery} />
              {next_attempt_at && attempts > 0 && <p class="quiet">{m().next(moment(next_attempt_at))}</p>}
            </div>
            <button type="button" disabled={!canChange} aria-label={`${m().replay}: ${name}, ${moment(created_at)}`} onClick={() => void replay(delivery)}>{m().replay}</button>
          </li>
        )
      })}
    </ul>
  )
}

function Answer({ last_status, last_error, last_duration_ms }: Delivery) {
  const parts = [last_status && `HTTP ${last_status}`, last_duration_ms !== null && m().took(last_duration_ms)].filter(Boolean)
  return <>{parts.length > 0 && <p>{parts.join(' · ')}</p>}{last_error && <p class="error">{last_error}</p>}</>
}
