// The keys of the organization.

import { useCallback, useEffect, useState } from 'preact/hooks'
import { SCOPES, createKey, revokeKey } from '../../api/account'
import type { NewKey } from '../../api/account'
import { Refused, listKeys, sessionOver } from '../../api/client'
import type { Key, Session } from '../../api/client'
import { day, t } from '../../messages'
import { account as m } from '../../messages/account'
import { say, sayError } from '../../notices'
import { Curl } from '../../parts/curl'
import { Secret } from '../../parts/secret'
import { State } from '../../parts/state'

const DAY = 86_400_000

const isEnded = (key: Key) => key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now())

export function KeysScreen({ session }: { session: Session }) {
  const [keys, setKeys] = useState<Key[] | null>(null)
  const [created, setCreated] = useState<NewKey | null>(null)
  const may = session.key.scopes.includes('usage')
  const canManage = SCOPES.every((scope) => session.key.scopes.includes(scope))
  const load = useCallback(() => listKeys().then(setKeys, sayError), [])
  useEffect(() => { if (may) void load() }, [may])
  if (!may) return <p class="hint">{m().noUsageScope}</p>

  const revoke = async (key: Key) => {
    if (!confirm(key.is_current ? m().revokeOwnAsk(key.hint) : m().revokeAsk(key.hint))) return
    try {
      await revokeKey(key.id)
      if (key.is_current) return sessionOver()
      if (created?.id === key.id) setCreated(null)
      say(m().keyRevoked)
    } catch (error) {
      sayError(error)
    }
    await load()
  }
  const active = keys?.filter((key) => !isEnded(key))
  const ended = keys?.filter(isEnded) ?? []
  const list = (some: Key[]) => <KeyList keys={some} revoke={canManage ? revoke : undefined} />
  return (
    <>
      <p class="quiet">{m().keysHint}</p>
      <div class="columns account-columns">
        <section class="card" aria-label={t().keys}>
          {active ? list(active) : <p class="quiet">{t().loading}</p>}
          {ended.length > 0 && <details><summary class="quiet">{m().inactive(ended.length)}</summary>{list(ended)}</details>}
        </section>
        <aside class="card" aria-labelledby="new-key">
          <h2 id="new-key">{m().newKey}</h2>
          {created ? (
            <>
              <Secret name={m().apiKey} value={created.key} note={m().keyOnce} />
              <button type="button" onClick={() => setCreated(null)}>{m().anotherKey}</button>
            </>
          ) : <NewKeyForm session={session} canManage={canManage} created={(key) => { setCreated(key); void load() }} />}
        </aside>
      </div>
      <Curl commands={`curl -s "$BASE/v1/jobs" -H "X-API-Key: $KEY"\n\n# aerie, on the server:\naerie admin key create --org ${session.organization.id} --scope read,generate\naerie admin key list --org ${session.organization.id}\naerie admin key revoke KEY_ID`} />
    </>
  )
}

function KeyList({ keys, revoke }: { keys: Key[]; revoke?: (key: Key) => Promise<void> }) {
  return (
    <ul class="lines">
      {keys.map((key) => (
        <li key={key.id}>
          <div class="grow">
            <p class="row"><code>{key.hint}</code>{key.is_current && <State kind="good" name={t().thisSession} />}</p>
            <p class="quiet small">{key.scopes.map((scope) => m().scopeNames[scope] ?? scope).join(', ')} · {m().createdOn(day(key.created_at))} · {endOf(key)}</p>
          </div>
          {revoke && !isEnded(key) && <button type="button" class="danger" aria-label={`${m().revoke}: ${key.hint}`} onClick={() => void revoke(key)}>{m().revoke}</button>}
        </li>
      ))}
    </ul>
  )
}

function endOf({ revoked_at, expires_at }: Key): string {
  if (revoked_at) return m().revokedOn(day(revoked_at))
  if (!expires_at) return m().endless
  return Date.parse(expires_at) <= Date.now() ? m().expiredOn(day(expires_at)) : m().expiresOn(day(expires_at))
}

const PERIODS = [7, 30, 90, 365]

function NewKeyForm({ session, canManage, created }: { session: Session; canManage: boolean; created: (key: NewKey) => void }) {
  const end = session.key.expires_at
  const left = end ? Math.floor((Date.parse(end) - Date.now()) / DAY) : Infinity
  const periods = PERIODS.filter((period) => period <= left)
  if (end && left >= 1 && !periods.includes(left)) periods.push(left)
  const [scopes, setScopes] = useState<string[]>(['read', 'generate'])
  const [days, setDays] = useState<number | null>(end ? periods[periods.length - 1] ?? null : null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      created(await createKey(scopes, days))
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : t().offline)
      setBusy(false)
    }
  }
  const toggle = (scope: string) => setScopes(SCOPES.filter((one) => (one === scope ? !scopes.includes(one) : scopes.includes(one))))
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <fieldset class="stack scope-list" disabled={!canManage}>
        <legend>{m().scopes}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} class="check">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span><strong>{m().scopeNames[scope]}</strong> <code>{scope}</code><br /><span class="quiet small">{m().scopeHints[scope]}</span></span>
          </label>
        ))}
      </fieldset>
      <label class="field"><span>{m().validFor}</span>
        <select value={days ?? ''} disabled={!canManage} onChange={(event) => setDays(Number(event.currentTarget.value) || null)}>
          {!end && <option value="">{m().forever}</option>}
          {periods.map((period) => <option key={period} value={period}>{m().days(period)}</option>)}
        </select>
      </label>
      {end && canManage && <p class="quiet small">{m().yours(day(end))}</p>}
      {!canManage && <p class="quiet small">{m().needsAllScopes}</p>}
      {problem && <p class="error small" role="alert">{problem}</p>}
      <button class="primary" type="submit" disabled={isBusy || !canManage || scopes.length === 0}>{isBusy ? m().creating : m().createKey}</button>
    </form>
  )
}
