// What clients see of a listing: links, and what was said through them.

import './share.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refused } from '../api/client'
import type { Listing } from '../api/client'
import { createShareLink, revokeShareLink } from '../api/share'
import type { NewShareLink, ShareLink } from '../api/share'
import { day, t } from '../messages'
import { sharing as m } from '../messages/share'
import { sayError } from '../notices'
import { Curl } from '../parts/curl'
import { Icon } from '../parts/icon'
import { Notices } from '../parts/notices'
import { Reviews } from '../parts/reviews'
import { Secret } from '../parts/secret'
import { State } from '../parts/state'
import type { Sharing } from '../sharing'

interface ShareParts {
  listing: Listing
  sharing: Sharing
  canShare: boolean
  close: () => void
}

const curl = (id: string) => `curl -s "$BASE/v1/listings/${id}/share-links" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "The sellers", "expires_in_days": 14}'
curl -s "$BASE/v1/listings/${id}/share-links" -H "X-API-Key: $KEY"
curl -s "$BASE/v1/listings/${id}/reviews" -H "X-API-Key: $KEY"
curl -s -X DELETE "$BASE/v1/listings/${id}/share-links/$LINK_ID" -H "X-API-Key: $KEY"`

export function SharePanel({ listing, sharing, canShare, close }: ShareParts) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [created, setCreated] = useState<NewShareLink | null>(null)
  useEffect(() => { dialog.current?.showModal() }, [])
  const id = listing.listing_id
  const names = new Map(listing.photos.map((photo) => [photo.id ?? '', photo.title || photo.id || '']))
  const decided = (decision: 'approved' | 'rejected') => [...sharing.ofPhoto.values()].filter((said) => said.decision === decision).length
  const [approved, rejected] = [decided('approved'), decided('rejected')]
  const counts = [approved > 0 && m().approvedCount(approved), rejected > 0 && m().rejectedCount(rejected)].filter(Boolean).join(', ')
  const revoke = async (link: ShareLink) => {
    if (!confirm(m().revokeAsk(link.name ?? m().unnamed))) return
    try {
      await revokeShareLink(id, link.share_link_id)
      if (created?.share_link_id === link.share_link_id) setCreated(null)
      await sharing.load()
    } catch (error) {
      sayError(error)
    }
  }
  return (
    <dialog
      ref={dialog} class="sheet" aria-labelledby="share-title" onClose={close}
      onClick={(event) => { if (event.target === dialog.current) dialog.current?.close() }}
    >
      <div class="sheet-body">
        <div class="row">
          <h2 id="share-title" class="grow">{m().title}</h2>
          <button class="plain" type="button" aria-label={t().close} onClick={() => dialog.current?.close()}><Icon name="close" /></button>
        </div>
        <p class="quiet small">{m().hint}</p>
        {created ? (
          <div class="stack">
            <Secret name={m().link} value={created.url} note={m().once} />
            <div class="row">
              <a class="button" href={created.url} target="_blank" rel="noreferrer">{m().open}</a>
              <button type="button" onClick={() => setCreated(null)}><Icon name="plus" />{m().another}</button>
            </div>
          </div>
        ) : <NewLink listing={listing} canShare={canShare} created={(link) => { setCreated(link); void sharing.load().catch(sayError) }} />}
        <section class="stack" aria-labelledby="share-links">
          <h3 id="share-links">{m().links}</h3>
          {sharing.links?.length === 0 && <p class="quiet small">{m().noLinks}</p>}
          <ul class="lines">
            {sharing.links?.map((link) => (
              <li key={link.share_link_id}>
                <div class="grow">
                  <p class="ellipsis"><strong>{link.name ?? m().unnamed}</strong></p>
                  <p class="quiet small">{m().may(link.show_address, link.allow_approval, link.allow_comments)} · {whenEnds(link)}</p>
                </div>
                <State kind={link.status === 'active' ? 'good' : 'quiet'} name={m().states[link.status]} />
                {link.status === 'active' && (
                  <button type="button" disabled={!canShare} aria-label={`${m().revoke}: ${link.name ?? m().unnamed}`} onClick={() => void revoke(link)}>{m().revoke}</button>
                )}
              </li>
            ))}
          </ul>
        </section>
        {sharing.links && sharing.links.length > 0 && (
          <section class="stack" aria-labelledby="share-said">
            <h3 id="share-said">{m().said}{counts && ` · ${counts}`}</h3>
            {sharing.reviews.length === 0 ? <p class="quiet small">{m().nothingSaid}</p> : <Reviews reviews={sharing.reviews} names={names} />}
          </section>
        )}
        <Curl commands={curl(id)} />
      </div>
      <Notices />
    </dialog>
  )
}

const whenEnds = ({ status, expires_at, revoked_at }: ShareLink) =>
  status === 'active' ? m().until(day(expires_at)) : m().ended(day(revoked_at ?? expires_at))

const PERIODS = [7, 14, 30, 90, 365]

function NewLink({ listing, canShare, created }: { listing: Listing; canShare: boolean; created: (link: NewShareLink) => void }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState(30)
  const [may, setMay] = useState({ show_address: true, allow_approval: true, allow_comments: true })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem('')
    try {
      created(await createShareLink(listing.listing_id, { ...(name.trim() ? { name: name.trim() } : {}), expires_in_days: days, ...may }))
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : t().offline)
      setBusy(false)
    }
  }
  const choice = (field: keyof typeof may, label: string) => (
    <label class="check">
      <input type="checkbox" checked={may[field]} onChange={(event) => setMay({ ...may, [field]: event.currentTarget.checked })} /><span>{label}</span>
    </label>
  )
  return (
    <form class="stack new-link" onSubmit={(event) => void submit(event)}>
      <div class="fields">
        <label class="field"><span>{m().name}</span>
          <input value={name} maxLength={100} placeholder={m().namePlaceholder} title={m().nameHint} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field"><span>{m().expires}</span>
          <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {PERIODS.map((period) => <option key={period} value={period}>{m().days(period)}</option>)}
          </select>
        </label>
      </div>
      <div class="checks">
        {choice('allow_approval', m().allowApproval)}
        {choice('allow_comments', m().allowComments)}
        {listing.address && choice('show_address', m().showAddress)}
      </div>
      {problem && <p class="error small" role="alert">{problem}</p>}
      {!canShare && <p class="quiet small">{m().needsGenerate}</p>}
      <button class="primary" type="submit" disabled={isBusy || !canShare}>{isBusy ? m().creating : m().create}</button>
    </form>
  )
}
