// Keys of an organization: created, shown once, revoked.

import { useState } from 'preact/hooks'
import type { Key } from '../api/client'
import { createKey, revokeKey } from '../api/operator'
import type { OrganizationDetails } from '../api/operator'
import { day, t } from '../messages'
import { operator as words } from '../messages/operator'
import { say, sayError } from '../notices'
import { Table } from './parts'

const SCOPES = ['read', 'generate', 'usage']

export function KeysPanel({ organization, changed }: { organization: OrganizationDetails; changed: () => void }) {
  const [scopes, setScopes] = useState(SCOPES)
  const [expires, setExpires] = useState('')
  const [created, setCreated] = useState('')
  const [asked, setAsked] = useState('')
  const create = async (event: Event) => {
    event.preventDefault()
    try {
      setCreated((await createKey(organization.id, scopes, expires)).key)
      setExpires('')
      changed()
    } catch (error) {
      sayError(error)
    }
  }
  const revoke = async (key: Key) => {
    try {
      await revokeKey(organization.id, key.id)
      say(words().revokeDone)
      setAsked('')
      changed()
    } catch (error) {
      sayError(error)
    }
  }
  const toggle = (scope: string) => setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : SCOPES.filter((one) => one === scope || scopes.includes(one)))
  const isOver = (key: Key) => key.revoked_at !== null || (key.expires_at !== null && Date.parse(key.expires_at) < Date.now())
  const copy = () => navigator.clipboard.writeText(created).then(() => say(t().copied), sayError)
  return (
    <section class="card">
      <h2>{t().keys}</h2>
      {organization.keys.length === 0 && <p class="quiet">{words().noKeys}</p>}
      {created && (
        <div class="hint stack" role="status">
          <p>{words().keyOnce}</p>
          <div class="row"><code class="secret">{created}</code><button type="button" onClick={() => void copy()}>{t().copy}</button><button type="button" onClick={() => setCreated('')}>{t().close}</button></div>
        </div>
      )}
      {organization.keys.length > 0 && (
        <Table name={t().keys} heads={[words().key, t().scopes, words().created, words().expires, words().state, '']}>
          {organization.keys.map((key) => (
            <tr key={key.id} class={isOver(key) ? 'over' : ''}>
              <th scope="row"><code title={key.id}>{key.hint}</code></th>
              <td>{key.scopes.map((scope) => words().scopeNames[scope] ?? scope).join(', ')}</td>
              <td>{day(key.created_at)}</td>
              <td>{key.expires_at ? day(key.expires_at) : words().never}</td>
              <td>{key.revoked_at ? words().revoked : isOver(key) ? words().expired : words().active}</td>
              <td>
                {!isOver(key) && asked !== key.id && <button type="button" class="danger" aria-label={`${words().revoke}: ${key.hint}`} onClick={() => setAsked(key.id)}>{words().revoke}</button>}
                {asked === key.id && (
                  <span class="ask" role="alert">
                    <span>{words().revokeAsk(key.hint)}</span>
                    <button type="button" class="danger" onClick={() => void revoke(key)}>{words().revoke}</button>
                    <button type="button" onClick={() => setAsked('')}>{words().keep}</button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <form class="row" aria-label={words().newKey} onSubmit={(event) => void create(event)}>
        <fieldset class="row">
          <legend class="hidden">{t().scopes}</legend>
          {SCOPES.map((scope) => <label key={scope} class="check"><input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} /><span>{words().scopeNames[scope] ?? scope}</span></label>)}
        </fieldset>
        <label class="filter"><span class="quiet small">{words().expiresOn}</span><input type="date" value={expires} onInput={(event) => setExpires(event.currentTarget.value)} /></label>
        <button class="primary" type="submit" disabled={scopes.length === 0} title={scopes.length === 0 ? words().oneScope : undefined}>{words().newKey}</button>
      </form>
    </section>
  )
}
