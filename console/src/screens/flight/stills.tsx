// A still of each direction, to choose one.

import type { AddressJob } from '../../api/desks'
import { useJob } from '../../job'
import { desks } from '../../messages/desks'
import { flight } from '../../messages/flight'
import { Report } from '../../parts/film'
import { shapeOf } from '../../parts/film-options'
import { JobProgress } from '../../parts/job-progress'
import { usePinned } from '../../pinned'
import { CompareBox } from './comparison'
import type { Compared } from './comparison'
import { formOf, previewOf } from './form'
import type { Form } from './form'

interface StillsParts {
  id: string
  form: Form
  choose: (direction: string) => void
  compared: readonly Compared[]
  compare: (one: Compared) => void
}

export function Stills({ id, form, choose, compared, compare }: StillsParts) {
  const followed = useJob(id)
  const job = followed.job as AddressJob | null
  const stills = usePinned(job?.id, job?.output.previews) ?? []
  if (!job) return null
  if (job.output.media_expired_at) return <p class="hint">{desks().expired}</p>
  const isStale = JSON.stringify(previewOf(formOf(job, form))) !== JSON.stringify(previewOf(form))
  return (
    <section class="stack" aria-label={flight().stills}>
      <h2>{flight().stills}</h2>
      <JobProgress followed={followed} />
      {isStale && stills.length > 0 && <p class="hint small">{flight().stale}</p>}
      {stills.length > 0 && (
        <>
          <ul class={`stills ${shapeOf(job.input.options?.aspect_ratio)}`}>
            {stills.map(({ direction, image_url }) => {
              const name = desks().directions[direction] ?? direction
              return (
                <li key={direction}>
                  <label class="still">
                    <input type="radio" name="direction" value={direction} checked={form.direction === direction} onChange={() => choose(direction)} />
                    <img src={image_url} alt="" /><span>{name}</span>
                  </label>
                  <CompareBox one={{ key: `${id} ${direction}`, name: `${name} · ${job.input.address ?? ''}`, picture: image_url }} compared={compared} compare={compare} />
                </li>
              )
            })}
          </ul>
          <Report job={job} />
        </>
      )}
    </section>
  )
}
