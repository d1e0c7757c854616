// Where single pictures and films are made, and what was made last.

import { useEffect, useState } from 'preact/hooks'
import { listJobs } from '../api/desks'
import type { AddressJob } from '../api/desks'
import { missed } from '../events'
import { t } from '../messages'
import { boundary } from '../messages/boundary'
import { clip } from '../messages/clip'
import { desks } from '../messages/desks'
import { flight } from '../messages/flight'
import { staging } from '../messages/staging'
import { studio } from '../messages/studio'
import { sayError } from '../notices'
import { Curl } from '../parts/curl'
import { Icon } from '../parts/icon'
import type { IconName } from '../parts/icon'
import { JobCard } from '../parts/job-card'
import './studio.css'

export interface Desk {
  path: string
  name: () => string
  hint: () => string
  icon?: IconName
  /** Kinds of job that the page lists. A job opens at the path of its desk, followed by its identifier. */
  kinds?: string[]
}

/** The desks, in the order of the page. */
export const DESKS: Desk[] = [
  { path: '/studio/flight', name: () => flight().title, hint: () => flight().card, icon: 'flight', kinds: ['drone_footage'] },
  { path: '/studio/boundary', name: () => boundary().title, hint: () => boundary().card, icon: 'outline', kinds: ['markup', 'markup_video'] },
  { path: '/studio/staging', name: () => staging().title, hint: () => staging().card, icon: 'sofa', kinds: ['virtual_staging'] },
  { path: '/studio/clip', name: () => clip().title, hint: () => clip().card, icon: 'film', kinds: ['video_clip'] },
]

const OF_EACH = 8
const CURL = DESKS.flatMap(({ kinds = [] }) => kinds).map((kind) => `curl -s "$BASE/v1/jobs?job_type=${kind}&limit=${OF_EACH}" -H "X-API-Key: $KEY"`).join('\n')

export function StudioScreen() {
  const [recent, setRecent] = useState<{ desk: Desk; job: AddressJob }[] | null>(null)
  useEffect(() => {
    const lists = DESKS.flatMap((desk) => (desk.kinds ?? []).map(async (kind) => (await listJobs(kind, OF_EACH)).map((job) => ({ desk, job }))))
    Promise.all(lists).then((all) => setRecent(all.flat().sort((a, b) => b.job.created_at.localeCompare(a.job.created_at))), sayError)
  }, [missed.value])
  return (
    <div class="page">
      <div class="heading"><h1>{studio().title}</h1></div>
      <p class="quiet">{studio().hint}</p>
      <ul class="desks">
        {DESKS.map((desk) => (
          <li key={desk.path}>
            <a class="card" href={`#${desk.path}`}>{desk.icon && <Icon name={desk.icon} />}<h2>{desk.name()}</h2><p class="quiet">{desk.hint()}</p></a>
          </li>
        ))}
      </ul>
      <section class="stack" aria-label={desks().recent}>
        <h2>{desks().recent}</h2>
        {recent?.length === 0 && <p class="quiet">{desks().noRecent}</p>}
        <ul class="cards">
          {recent?.map(({ desk, job }) => (
            <JobCard key={job.id} job={job} href={`#${desk.path}/${job.input.markup_job_id ?? job.id}`} about={t().kinds[job.job_type] ?? job.job_type} />
          ))}
        </ul>
      </section>
      <Curl commands={CURL} />
    </div>
  )
}
