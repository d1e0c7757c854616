// The flight desk: an address, a direction chosen by stills, and films that are compared.

import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../../api/client'
import { listJobs } from '../../api/desks'
import type { AddressJob } from '../../api/desks'
import { missed } from '../../events'
import { make, useJob } from '../../job'
import { desks } from '../../messages/desks'
import { flight } from '../../messages/flight'
import { whyNot } from '../../may'
import { sayError } from '../../notices'
import { AddressField } from '../../parts/address'
import { Curl } from '../../parts/curl'
import { FilmOf } from '../../parts/film'
import { FilmOptions } from '../../parts/film-options'
import { Icon } from '../../parts/icon'
import { go } from '../../route'
import { useSubmission } from '../../submit'
import { Comparison } from './comparison'
import type { Compared } from './comparison'
import { Flights } from './flights'
import { FIRST, bodyOf, curl, formOf, previewOf } from './form'
import type { Form } from './form'
import { Stills } from './stills'
import './flight.css'

const PATH = '/studio/flight'

export function FlightScreen({ session, id }: { session: Session; id: string }) {
  const followed = useJob(id || null)
  const job = followed.job as AddressJob | null
  const [form, setForm] = useState<Form>(FIRST)
  const [flights, setFlights] = useState<AddressJob[] | null>(null)
  const [compared, setCompared] = useState<Compared[]>([])
  const { isBusy, problem, run } = useSubmission()
  const refusal = whyNot(session, 'drone_footage')
  const set = (changes: Partial<Form>) => setForm({ ...form, ...changes })

  useEffect(() => void listJobs('drone_footage', 100).then(setFlights, sayError), [id, job?.status, missed.value])
  useEffect(() => { if (job) setForm(formOf(job, form)) }, [job?.id])

  const isPreview = job?.input.preview === true
  const earlier = flights?.find((one) => one.input.preview && one.input.address === form.address.trim() && one.status !== 'failed')
  const preview = isPreview ? id : earlier?.id ?? null
  const submit = (path: string, body: unknown) => {
    setCompared([])
    void run(async () => go(`${PATH}/${await make(path, body)}`))
  }
  const compare = (one: Compared) =>
    setCompared(compared.some(({ key }) => key === one.key) ? compared.filter(({ key }) => key !== one.key) : [...compared, one].slice(-2))
  const cannot = isBusy || Boolean(refusal) || form.address.trim() === ''
  return (
    <div class="page wide">
      <div class="heading">
        <a class="plain back" href="#/studio" aria-label={desks().backToStudio}><Icon name="left" /></a>
        <h1>{flight().title}</h1>
        <span class="grow" />
        {id && <a class="button" href={`#${PATH}`} onClick={() => { setForm(FIRST); setCompared([]) }}>{desks().again}</a>}
      </div>
      <div class={preview || id ? 'flight with-results' : 'flight'}>
        <form class="desk-panel" aria-label={flight().title} onSubmit={(event) => { event.preventDefault(); submit('/v1/drone-footage/generate?preview=true', previewOf(form)) }}>
          <AddressField value={form.address} change={(address) => set({ address })} />
          <FilmOptions film={form.film} change={(film) => set({ film })} />
          <div class="option">
            <label class="check"><input type="checkbox" checked={form.highlight} onChange={(event) => set({ highlight: event.currentTarget.checked })} /><span>{flight().highlight}</span></label>
            <label class="check"><input type="checkbox" checked={form.label} onChange={(event) => set({ label: event.currentTarget.checked })} /><span>{flight().label}</span></label>
            <p class="quiet small">{flight().caption}</p>
          </div>
          <div class="make">
            <p class="quiet small">{refusal || flight().previewHint}</p>
            {problem && <p class="problem" role="alert">{problem}</p>}
            <button class={preview ? 'wide' : 'primary wide'} type="submit" disabled={cannot}>{preview ? flight().previewAgain : flight().preview}</button>
            <button class={preview ? 'primary wide' : 'wide'} type="button" disabled={cannot} onClick={() => submit('/v1/drone-footage/generate', bodyOf(form))}>
              <Icon name="flight" />{flight().makeOf(desks().directions[form.direction] ?? form.direction)}
            </button>
          </div>
        </form>
        <div class="results">
          {compared.length > 0 && <Comparison compared={compared} close={() => setCompared([])} />}
          {id && !isPreview && <section class="stack" aria-label={flight().film}><h2>{flight().film}</h2><FilmOf followed={followed} /></section>}
          {preview && <Stills id={preview} form={form} choose={(direction) => set({ direction })} compared={compared} compare={compare} />}
          {!id && !preview && (
            <ol class="steps">
              {flight().teach.map(([title, text], at) => (
                <li key={title}><span class="number" aria-hidden="true">{at + 1}</span><h3>{title}</h3><p class="quiet">{text}</p></li>
              ))}
            </ol>
          )}
        </div>
        {flights && <Flights flights={flights} current={id} compared={compared} compare={compare} />}
      </div>
      <Curl commands={curl(form)} />
    </div>
  )
}
