// The truth page of a photo: published, opened and revoked beside it.

import './truth.css'
import { useEffect, useState } from 'preact/hooks'
import { Refused } from '../api/client'
import type { Job, Listing } from '../api/client'
import { getTruthPage, publishTruthPage, revokeTruthPage } from '../api/share'
import type { TruthPage } from '../api/share'
import { day, t } from '../messages'
import { sharing as m } from '../messages/share'
import { Secret } from '../parts/secret'

/** What outputs say of their disclosure. */
interface Disclosed {
  disclosure?: { altered?: boolean }
  disclosure_profile?: { title?: string; name: string; needs_truth_page: boolean } | null
}

export function TruthPanel({ job, listing, canShare }: { job: Job; listing: Listing; canShare: boolean }) {
  const [page, setPage] = useState<TruthPage | null | undefined>(undefined)
  const [address, setAddress] = useState(false)
  const [indexable, setIndexable] = useState(false)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { disclosure, disclosure_profile: profile } = job.output as Disclosed
  const isAltered = job.job_type === 'virtual_staging' || disclosure?.altered === true
  useEffect(() => {
    if (!isAltered) return
    let isCurrent = true
    setPage(undefined)
    setProblem('')
    getTruthPage(job.id).then((found) => { if (isCurrent) setPage(found) }, () => {})
    return () => { isCurrent = false }
  }, [job.id, isAltered])
  if (!isAltered || page === undefined) return null

  const run = async (request: Promise<TruthPage>) => {
    setBusy(true)
    setProblem('')
    try {
      setPage(await request)
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : t().offline)
    } finally {
      setBusy(false)
    }
  }
  const publish = () => run(publishTruthPage(job.id, { ...(address && listing.address ? { address: listing.address } : {}), indexable }))
  const revoke = () => { if (confirm(m().truthRevokeAsk)) void run(revokeTruthPage(job.id)) }
  const isPublic = page?.status === 'public'
  return (
    <section class="truth" aria-labelledby="truth-title">
      <h3 id="truth-title">{m().truth}</h3>
      {isPublic ? (
        <>
          <Secret name={m().truthUrl} value={page.url} />
          {page.disclosure_text && <Secret name={m().caption} value={page.disclosure_text} />}
          <div class="row">
            <a class="button" href={page.url} target="_blank" rel="noreferrer">{m().truthOpen}</a>
            <a class="button" href={page.qr_svg_url} target="_blank" rel="noreferrer">{m().qr}</a>
            <button type="button" class="danger" disabled={isBusy || !canShare} onClick={revoke}>{m().truthRevoke}</button>
          </div>
        </>
      ) : (
        <>
          <p class="quiet small">{m().truthHint}{profile?.needs_truth_page && <strong> {m().truthNeeded(profile.title ?? profile.name)}</strong>}</p>
          {page?.revoked_at && <p class="small">{m().truthRevoked(day(page.revoked_at))}</p>}
          <div class="checks">
            {listing.address && (
              <label class="check"><input type="checkbox" checked={address} onChange={(event) => setAddress(event.currentTarget.checked)} /><span>{m().truthAddress}</span></label>
            )}
            <label class="check"><input type="checkbox" checked={indexable} onChange={(event) => setIndexable(event.currentTarget.checked)} /><span>{m().truthIndexable}</span></label>
          </div>
          <button type="button" disabled={isBusy || !canShare} onClick={() => void publish()}>{isBusy ? m().publishing : m().publish}</button>
        </>
      )}
      {problem && <p class="error small" role="alert">{problem}</p>}
    </section>
  )
}
