// The account: usage, keys, webhooks.

import './account.css'
import type { ComponentChildren } from 'preact'
import type { Session } from '../../api/client'
import { account as m } from '../../messages/account'
import { KeysScreen } from './keys'
import { UsageScreen } from './usage'
import { WebhookScreen } from './webhook'
import { WebhooksScreen } from './webhooks'

export type Part = 'usage' | 'keys' | 'webhooks'
const PATHS: Record<Part, string> = { usage: '/account', keys: '/account/keys', webhooks: '/account/webhooks' }

interface AccountParts {
  session: Session
  /** What follows `/account/`. */
  rest: string
}

export function AccountScreen({ session, rest }: AccountParts) {
  const [part, id] = rest.split('/')
  const canChange = session.key.scopes.includes('generate')
  if (part === 'keys') return <Account part="keys"><KeysScreen session={session} /></Account>
  if (part === 'webhooks') {
    return <Account part="webhooks">{id ? <WebhookScreen key={id} id={id} canChange={canChange} /> : <WebhooksScreen canChange={canChange} />}</Account>
  }
  return <Account part="usage"><UsageScreen session={session} /></Account>
}

function Account({ part, children }: { part: Part; children: ComponentChildren }) {
  return (
    <div class="page">
      <div class="heading account-heading">
        <h1>{m().account}</h1>
        <nav class="tabs" aria-label={m().account}>
          {Object.entries(PATHS).map(([name, path]) => (
            <a key={name} href={`#${path}`} aria-current={name === part ? 'page' : undefined}>{m().parts[name as Part]}</a>
          ))}
        </nav>
      </div>
      {children}
    </div>
  )
}
