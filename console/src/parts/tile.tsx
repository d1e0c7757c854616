// A photo in the grid: its picture, its room, how far it is.

import { useEffect } from 'preact/hooks'
import type { Listing } from '../api/client'
import { jobs, progress, want } from '../events'
import { t } from '../messages'
import { errorText } from '../messages/reasons'
import type { Shown } from '../screens/listing'
import { isActive, jobsOf, newest, statusOf } from '../set'
import type { Said } from '../sharing'
import { sending, uploadAgain } from '../uploads'
import { Icon } from './icon'
import { Marks } from './reviews'
import { RoomSelect } from './room'

export interface TileParts {
  photo: Shown
  said: Said | undefined
  listing: Listing
  isSelected: boolean
  toggle: () => void
  open: () => void
  relabel: (changes: { room?: string | null; empty?: boolean }) => void
}

export function Tile({ photo, said, listing, isSelected, toggle, open, relabel }: TileParts) {
  const sent = sending.value.get(photo.id)
  const own = jobsOf(listing, photo.id).map((job) => ({ ...job, status: statusOf(job) }))
  const done = own.find((job) => job.status === 'completed' && job.job_type === 'virtual_staging')
    ?? own.find((job) => job.status === 'completed')
  const active = own.find((job) => isActive(job.status))
  const failed = newest(listing).find((job) => job.photo_id === photo.id && statusOf(job) === 'failed')
  useEffect(() => { if (done) want(done.job_id) }, [done?.job_id])
  useEffect(() => { if (failed) want(failed.job_id) }, [failed?.job_id])
  const picture = (done && jobs.value.get(done.job_id)?.output.thumbnail_url) ?? sent?.small
  const uploadError = sent?.state === 'failed' ? (sent.error === 'gone' ? t().fileGone : sent.error) : undefined
  const jobError = failed && errorText(jobs.value.get(failed.job_id)?.output.error ?? {})
  return (
    <li class={isSelected ? 'tile selected' : 'tile'}>
      <button class="picture" type="button" onClick={open} aria-label={photo.name}>
        {picture ? <img src={picture} alt="" loading="lazy" /> : <Icon name="photo" />}
        <Bar sent={sent} job={active?.job_id} status={active?.status} />
      </button>
      <Marks said={said} />
      <input class="pick" type="checkbox" checked={isSelected} aria-label={`${t().select}: ${photo.name}`} onChange={toggle} />
      <span class="badge">{badge(sent?.state, active?.status, failed !== undefined, done?.job_type)}</span>
      <div class="tile-foot">
        <span class="small ellipsis" title={photo.name}>{photo.name}</span>
        <div class="row tight">
          <RoomSelect value={photo.room} name={`${t().room}: ${photo.name}`} change={(room) => relabel({ room })} />
          <label class="check" title={t().emptyHint}>
            <input type="checkbox" checked={photo.empty} onChange={(event) => relabel({ empty: event.currentTarget.checked })} />
            <span>{t().emptyRoom}</span>
          </label>
        </div>
        {uploadError && (
          <p class="error small">{uploadError} <button class="link" type="button" onClick={() => void uploadAgain(photo.id)}>{t().retryUpload}</button></p>
        )}
        {jobError && <p class="error small" title={jobError}>{jobError}</p>}
      </div>
    </li>
  )
}

function badge(upload: string | undefined, job: string | undefined, hasFailed: boolean, made: string | undefined): string {
  if (upload === 'failed' || (hasFailed && !job)) return t().failedShort
  if (upload === 'waiting') return t().waiting
  if (upload === 'sending') return ''
  if (job) return job === 'running' ? t().running : t().queued
  if (made) return made === 'virtual_staging' ? t().staged : t().enhanced
  return ''
}

function Bar({ sent, job, status }: { sent?: { state: string; sent: number }; job?: string; status?: string }) {
  if (sent?.state === 'sending') return <progress max="1" value={sent.sent} aria-label={`${Math.round(sent.sent * 100)} %`} />
  if (!job || status !== 'running') return null
  const percent = progress.value.get(job)?.percent
  return percent === undefined ? <progress aria-label={t().running} /> : <progress max="100" value={percent} aria-label={t().running} />
}
