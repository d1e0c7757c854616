// The secret of a webhook that was just made or replaced: in memory alone, until it is left.

import { signal } from '@preact/signals'
import type { WebhookSecret } from '../../api/account'

export const fresh = signal<{ id: string; secret: string } | null>(null)

export function keepSecret({ webhook_id, secret }: WebhookSecret): void {
  fresh.value = { id: webhook_id, secret }
}
