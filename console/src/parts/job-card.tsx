// A job as a card: its picture, what it is of, and how far it is.

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AddressJob } from '../api/desks'
import { jobs, progress, want } from '../events'
import { hasEnded } from '../job'
import { day, t } from '../messages'
import { usePinned } from '../pinned'
import { Icon } from './icon'

/** The picture that stands for a job, if it has one. */
function pictureOf({ output }: AddressJob): string | undefined {
  return output.thumbnail_url ?? output.previews?.[0]?.image_url ?? output.orientation_variants?.[0]?.preview_url ?? output.image_url
}

/** A job of a list, with what was read of it since: lists leave out the pictures of films. */
export function useWhole(job: AddressJob): AddressJob {
  const status = progress.value.get(job.id)?.status ?? job.status
  const lacksPicture = (hasEnded(status) || status === 'awaiting_input') && !pictureOf(job)
  useEffect(() => { if (lacksPicture) want(job.id) }, [job.id, lacksPicture])
  return lacksPicture ? (jobs.value.get(job.id) as AddressJob | undefined) ?? job : job
}

interface CardParts {
  job: AddressJob
  href: string
  /** What kind of thing it is, or how it was made. */
  about: string
  isCurrent?: boolean
  children?: ComponentChildren
}

export function JobCard({ job, href, about, isCurrent, children }: CardParts) {
  const whole = useWhole(job)
  const picture = usePinned(job.id, pictureOf(whole))
  const status = progress.value.get(job.id)?.status ?? job.status
  const state = status === 'failed' ? t().failedShort : status === 'queued' ? t().queued : status === 'running' ? t().running : ''
  return (
    <li class="job">
      <a class="listing-card" href={href} aria-current={isCurrent ? 'true' : undefined}>
        <span class="cover">{picture ? <img src={picture} alt="" loading="lazy" /> : <Icon name="photo" />}</span>
        <span class="name ellipsis" title={job.input.address}>{job.input.address ?? about}</span>
        <span class="quiet small ellipsis">{[job.input.address ? about : '', day(job.created_at)].filter(Boolean).join(' · ')}</span>
      </a>
      {state && <span class="badge">{state}</span>}
      {children}
    </li>
  )
}
