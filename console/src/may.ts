// What the session may make.

import type { Session } from './api/client'
import { desks } from './messages/desks'

/** Why a kind of job cannot be made, or nothing. */
export function whyNot({ key, organization }: Session, kind: string): string {
  if (!key.scopes.includes('generate')) return desks().mayNot
  return organization.disabled.includes(kind) ? desks().disabled : ''
}
