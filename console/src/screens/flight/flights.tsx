// Flights of the organization, also those of listings and of the API.

import type { AddressJob } from '../../api/desks'
import { desks } from '../../messages/desks'
import { flight } from '../../messages/flight'
import { JobCard, useWhole } from '../../parts/job-card'
import { CompareBox } from './comparison'
import type { Compared } from './comparison'

interface FlightsParts {
  flights: readonly AddressJob[]
  current: string
  compared: readonly Compared[]
  compare: (one: Compared) => void
}

export function Flights({ flights, ...parts }: FlightsParts) {
  return (
    <section class="stack" aria-label={flight().earlier}>
      <h2>{flight().earlier}</h2>
      {flights.length === 0 ? <p class="quiet">{flight().noneYet}</p> : (
        <ul class="cards">{flights.map((job) => <Flight key={job.id} job={job} {...parts} />)}</ul>
      )}
    </section>
  )
}

function Flight({ job, current, compared, compare }: { job: AddressJob } & Omit<FlightsParts, 'flights'>) {
  const { options = {}, preview, address = '' } = job.input
  const direction = String(options.direction ?? 'original')
  const format = String(options.aspect_ratio ?? '16:9')
  const about = preview ? `${flight().stillsOf} · ${format}` : [desks().directions[direction] ?? direction, format].join(' · ')
  const { output } = useWhole(job)
  return (
    <JobCard job={job} href={`#/studio/flight/${job.id}`} about={about} isCurrent={job.id === current}>
      {!preview && output.video_url && (
        <CompareBox one={{ key: job.id, name: `${about} · ${address}`, picture: output.thumbnail_url, film: output.video_url }} compared={compared} compare={compare} />
      )}
    </JobCard>
  )
}
