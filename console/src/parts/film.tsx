// A film, or why there is none yet, with what its job reports.

import type { AddressJob } from '../api/desks'
import { useJob } from '../job'
import type { Followed } from '../job'
import { desks } from '../messages/desks'
import { t } from '../messages'
import { shapeOf } from './film-options'
import { Icon } from './icon'
import { JobProgress } from './job-progress'
import { usePinned } from '../pinned'
import './film.css'

/** A film by its job. */
export function JobFilm({ id }: { id: string }) {
  return <FilmOf followed={useJob(id)} />
}

export function FilmOf({ followed }: { followed: Followed }) {
  const job = followed.job as AddressJob | null
  const film = usePinned(job?.id, job?.output.video_url)
  const poster = usePinned(job?.id, job?.output.thumbnail_url)
  if (!job) return <p class="quiet">{followed.isMissing ? desks().notFound : t().loading}</p>
  if (job.output.media_expired_at) return <p class="hint">{desks().expired}</p>
  return (
    <div class="stack">
      <JobProgress followed={followed} />
      {film && (
        <>
          <video class={`film ${shapeOf(job.input.options?.aspect_ratio)}`} controls playsInline preload="none" poster={poster} src={film} aria-label={desks().film(job.input.address ?? '')} />
          <div class="row"><a class="button" href={film} download><Icon name="download" />{desks().download}</a></div>
          <Report job={job} />
        </>
      )}
    </div>
  )
}

/** What a job of pictures or films reports, in words. */
export function Report({ job }: { job: AddressJob }) {
  const { warnings, duration, credentials } = job.output
  return (
    <section class="report small" aria-label={desks().report}>
      <h3>{desks().report}</h3>
      {warnings && warnings.length > 0 ? (
        <div class="doubts"><strong>{desks().warnings}</strong><ul>{warnings.map((warning) => <li key={warning}>{warning}</li>)}</ul></div>
      ) : job.job_type === 'drone_footage' && <p>{desks().noWarnings}</p>}
      {duration !== undefined && <p>{desks().lasts(duration)}</p>}
      {credentials && (
        <>
          <p>{desks().signed(credentials.signed_by, credentials.embedded.length)}</p>
          {credentials.without.map(({ field, reason }) => <p key={field}>{desks().unsigned(field, reason)}</p>)}
        </>
      )}
      <p class="quiet">{desks().inPicture}</p>
    </section>
  )
}
