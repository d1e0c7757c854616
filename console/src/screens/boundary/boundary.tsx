// The boundary desk: from an address to a measured boundary and its film. The job says which step is shown.

import { useState } from 'preact/hooks'
import type { Session } from '../../api/client'
import type { AddressJob } from '../../api/desks'
import { make, useJob } from '../../job'
import { t } from '../../messages'
import { boundary } from '../../messages/boundary'
import { desks } from '../../messages/desks'
import { whyNot } from '../../may'
import { AddressField } from '../../parts/address'
import { Curl } from '../../parts/curl'
import { Icon } from '../../parts/icon'
import { JobProgress } from '../../parts/job-progress'
import { go } from '../../route'
import { useSubmission } from '../../submit'
import { DrawStep } from './draw-step'
import { FilmStep } from './film-step'
import { PictureStep } from './picture-step'
import './boundary.css'

const PATH = '/studio/boundary'

const curl = (id: string, address: string) => `JOB=${id || `$(curl -s "$BASE/v1/markup/generate" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ address })}' | jq -r .data.job_id)`}
curl -s "$BASE/v1/markup/jobs/$JOB" -H "X-API-Key: $KEY" | jq .data.output.orientation_variants
CLEAN=$(curl -s "$BASE/v1/markup/jobs/$JOB/select" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"orientation": "bottom"}' | jq -r .data.selected_url)
DRAWN=$(curl -s "$BASE/v1/uploads?filename=boundary.jpg" -H "X-API-Key: $KEY" -H "Content-Type: image/jpeg" --data-binary @boundary.jpg | jq -r .data.image_url)
curl -s "$BASE/v1/markup/jobs/$JOB/annotate" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"annotated_image_url": "'$DRAWN'", "clean_image_url": "'$CLEAN'"}'
curl -s "$BASE/v1/markup/jobs/$JOB/video" -H "X-API-Key: $KEY" -H "Content-Type: application/json" -d '{"options": {"duration": 10}}'`

export function BoundaryScreen({ session, id }: { session: Session; id: string }) {
  const followed = useJob(id || null)
  const job = followed.job as AddressJob | null
  const refusal = whyNot(session, 'markup')
  /** Chosen on this page, before the job is read again; `''` shows all pictures. */
  const [chosen, setChosen] = useState<string | null>(null)
  const orientation = chosen ?? job?.output.selected_orientation ?? ''
  const step = !job || job.status === 'queued' || job.status === 'running' || job.status === 'failed' ? 0
    : job.status === 'completed' ? 3 : orientation ? 2 : 1
  const address = job?.input.address ?? ''
  return (
    <div class="page boundary">
      <div class="heading">
        <a class="plain back" href="#/studio" aria-label={desks().backToStudio}><Icon name="left" /></a>
        <h1>{boundary().title}</h1>
        {address && <span class="quiet ellipsis">{address}</span>}
        <span class="grow" />
        {id && <a class="button" href={`#${PATH}`}>{desks().again}</a>}
      </div>
      <Steps now={step} />
      {!id && <Start refusal={refusal} />}
      {id && !job && <p class="quiet">{followed.isMissing ? desks().notFound : t().loading}</p>}
      {job && job.output.media_expired_at && <p class="card hint">{boundary().expired} {desks().expired}</p>}
      {job && step === 0 && <div class="card"><JobProgress followed={followed} />{job.status === 'failed' && <Start refusal={refusal} address={address} />}</div>}
      {job && !job.output.media_expired_at && (
        <>
          {step === 1 && <PictureStep job={job} refusal={refusal} chosen={setChosen} />}
          {step === 2 && <DrawStep key={job.id} job={job} orientation={orientation} refusal={refusal} other={() => setChosen('')} />}
          {step === 3 && <FilmStep job={job} session={session} />}
        </>
      )}
      <Curl commands={curl(id, address || '12 Larkspur Lane, 10001 Featherstone Vale')} />
    </div>
  )
}

function Steps({ now }: { now: number }) {
  return (
    <ol class="progress-steps">
      {boundary().steps.map((name, at) => (
        <li key={name} class={at < now ? 'done' : ''} aria-current={at === now ? 'step' : undefined}>
          <span class="number" aria-hidden="true">{at < now ? <Icon name="check" /> : at + 1}</span><span>{name}</span>
        </li>
      ))}
    </ol>
  )
}

function Start({ refusal, address: before = '' }: { refusal: string; address?: string }) {
  const [address, setAddress] = useState(before)
  const { isBusy, problem, run } = useSubmission()
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => go(`${PATH}/${await make('/v1/markup/generate', { address: address.trim() })}`))
  }
  return (
    <>
      <form class="card start" onSubmit={submit}>
        <AddressField value={address} change={setAddress} />
        <button class="primary" type="submit" disabled={isBusy || Boolean(refusal) || address.trim() === ''}>{boundary().start}</button>
        {refusal && <p class="hint small">{refusal}</p>}
        {problem && <p class="problem" role="alert">{problem}</p>}
      </form>
      <ol class="steps">
        {boundary().teach.map(([title, text], at) => (
          <li key={title}><span class="number" aria-hidden="true">{at + 1}</span><h3>{title}</h3><p class="quiet">{text}</p></li>
        ))}
      </ol>
    </>
  )
}
