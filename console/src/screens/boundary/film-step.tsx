// The measured boundary, and films of it.

import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../../api/client'
import { listJobs } from '../../api/desks'
import type { AddressJob } from '../../api/desks'
import { missed } from '../../events'
import { make } from '../../job'
import { keptDrawing } from '../../kept'
import { boundary } from '../../messages/boundary'
import { desks } from '../../messages/desks'
import { whyNot } from '../../may'
import { sayError } from '../../notices'
import { JobFilm } from '../../parts/film'
import { DIRECTIONS, FILM, FilmOptions } from '../../parts/film-options'
import { Icon } from '../../parts/icon'
import { useSubmission } from '../../submit'
import type { Drawing } from './drawing'
import { measure, ringOf } from './polygon'
import { meters, percent, squareFeet, squareMeters } from './units'

export function FilmStep({ job, session }: { job: AddressJob; session: Session }) {
  const [films, setFilms] = useState<string[]>([])
  useEffect(() => {
    listJobs('markup_video', 100).then((all) => setFilms(all.filter((one) => one.input.markup_job_id === job.id).map(({ id }) => id)), sayError)
  }, [job.id, missed.value])
  return (
    <div class="draw">
      <section class="stack">
        {films.length > 0 && (
          <section class="stack" aria-label={boundary().films}>
            <h2>{boundary().films}</h2>
            {films.map((id) => <JobFilm key={id} id={id} />)}
          </section>
        )}
        <Shown job={job} />
      </section>
      <aside class="desk-panel" aria-label={boundary().measured}>
        <Result job={job} />
        <FilmForm job={job} refusal={whyNot(session, 'markup_video')} made={(id) => setFilms([id, ...films])} />
      </aside>
    </div>
  )
}

/** The picture with the boundary that was measured, where the page knows its ground; otherwise, the picture that was submitted. */
function Shown({ job: { output } }: { job: AddressJob }) {
  const variant = output.orientation_variants?.find(({ key }) => key === output.selected_orientation)
  const { ground } = variant ?? {}
  const ring = ground && output.boundary ? ringOf(output.boundary, ground) : []
  if (!variant || !ground || ring.length === 0) return <img class="result" src={output.annotated_image_url ?? variant?.enhanced_url} alt={boundary().drawn} />
  const points = ring.map((corner) => corner.join()).join(' ')
  return (
    <svg class="result" viewBox={`0 0 ${ground.width} ${ground.height}`} role="img" aria-label={boundary().measured}>
      <image href={variant.enhanced_url} width={ground.width} height={ground.height} />
      <polygon class="casing" points={points} stroke-width={ground.width / 140} />
      <polygon class="outline closed" points={points} stroke-width={ground.width / 280} />
    </svg>
  )
}

function Result({ job: { id, output } }: { job: AddressJob }) {
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  useEffect(() => { void keptDrawing<Drawing>(id).then((kept) => setDrawing(kept ?? null)) }, [id])
  const properties = output.boundary?.properties
  const ground = output.orientation_variants?.find(({ key }) => key === drawing?.orientation)?.ground
  const drawn = drawing && ground && drawing.now.isClosed ? measure(drawing.now.corners, ground).area : undefined
  if (!properties || properties.area_m2 === undefined) {
    return <div class="problem" role="status"><h2>{boundary().notMeasured}</h2><p>{output.boundary_message}</p></div>
  }
  const lengths = properties.edge_lengths_m?.flat() ?? []
  return (
    <>
      <dl class="measures">
        <div><dt>{boundary().measured}</dt><dd data-testid="measured">{squareMeters(properties.area_m2)}<span class="quiet small">{squareFeet(properties.area_m2)}</span></dd></div>
        {drawn !== undefined && <div><dt>{boundary().drawn}</dt><dd data-testid="drawn">{squareMeters(drawn)}<span class="quiet small">{boundary().differs(percent(Math.abs(drawn / properties.area_m2 - 1)))}</span></dd></div>}
        {properties.perimeter_m !== undefined && <div><dt>{boundary().perimeter}</dt><dd>{meters(properties.perimeter_m)}</dd></div>}
      </dl>
      <ol class="lengths small">{lengths.slice(0, 40).map((length, at) => <li key={at}><span class="quiet">{boundary().edge(at + 1)}</span><span>{meters(length)}</span></li>)}</ol>
      <p class="quiet small">{boundary().approximate}</p>
    </>
  )
}

function FilmForm({ job, refusal, made }: { job: AddressJob; refusal: string; made: (id: string) => void }) {
  const [film, setFilm] = useState(FILM)
  const [direction, setDirection] = useState('original')
  const [color, setColor] = useState('#ffd400')
  const [labels, setLabels] = useState(true)
  const { isBusy, problem, run } = useSubmission()
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => made(await make(`/v1/markup/jobs/${job.id}/video`, { options: { ...film, direction, color, labels } })))
  }
  return (
    <form class="make" onSubmit={submit}>
      <label class="option"><span class="option-name">{desks().direction}</span>
        <select value={direction} onChange={(event) => setDirection(event.currentTarget.value)}>
          {DIRECTIONS.map((value) => <option key={value} value={value}>{desks().directions[value]}</option>)}
        </select>
      </label>
      <FilmOptions film={film} change={setFilm} />
      <div class="row">
        <label class="check"><input type="color" value={color} onInput={(event) => setColor(event.currentTarget.value)} /><span>{boundary().color}</span></label>
        <label class="check"><input type="checkbox" checked={labels} onChange={(event) => setLabels(event.currentTarget.checked)} /><span>{boundary().labels}</span></label>
      </div>
      {(refusal || !job.output.boundary) && <p class="quiet small">{refusal || boundary().noBoundary}</p>}
      {problem && <p class="problem" role="alert">{problem}</p>}
      <button class="primary wide" type="submit" disabled={isBusy || Boolean(refusal)}><Icon name="flight" />{boundary().makeFilm}</button>
    </form>
  )
}
