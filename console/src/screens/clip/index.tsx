// The clip desk: a camera that moves inside one photo.

import { useEffect, useRef, useState } from 'preact/hooks'
import { local } from '../../api/client'
import type { Session } from '../../api/client'
import { CLIP, pictureAddress } from '../../api/rooms'
import type { ClipJob, ClipOptions } from '../../api/rooms'
import { curlOf } from '../../curl-of'
import { jobs, want } from '../../events'
import { make, useJob } from '../../job'
import { t } from '../../messages'
import { clip } from '../../messages/clip'
import { choice } from '../../messages/photo-choice'
import { sayError } from '../../notices'
import { Curl } from '../../parts/curl'
import { Icon } from '../../parts/icon'
import { JobProgress } from '../../parts/job-progress'
import { PhotoChoice, whyNot } from '../../parts/photo-choice'
import { VersionCards } from '../../parts/version-cards'
import { usePicture } from '../../picture'
import { route } from '../../route'
import { useShownJob } from '../../shown-job'
import { statusNow, useVersions } from '../../versions'
import { Controls } from './controls'
import { FIRST, formOf, isPreview, isSameMove, optionsOf, previewOf } from './form'
import { Player } from './player'
import { Report } from './report'
import './clip.css'

const MOST_VERSIONS = 24

/** A short name of what a clip was asked for. */
function nameOf({ input: { options } }: ClipJob): string {
  const { move, words } = formOf(options)
  return move === 'auto' && words ? words : clip().moves[move] ?? move
}

export function ClipScreen({ session, id }: { session: Session; id: string }) {
  const query = new URLSearchParams(route.value.split('?')[1])
  const [current, setCurrent] = useShownJob('/studio/clip', id)
  const [photo, setPhoto] = useState<string | null>(null)
  const [form, setForm] = useState(FIRST)
  const [isBusy, setBusy] = useState(false)
  const followed = useJob(current || null)
  const [versions, reload] = useVersions<ClipJob>('video_clip', photo ?? undefined)
  const opened = useRef<string | null>(null)
  const found = followed.job as unknown as ClipJob | null
  const shown = versions.slice(0, MOST_VERSIONS)
  const done = shown.filter((one) => statusNow(one) === 'completed').map((one) => one.id).join()
  // Lists of jobs have no more than the link of a film.
  const wholeOf = (one: ClipJob) => (jobs.value.get(one.id) as unknown as ClipJob | undefined) ?? one
  const job = found && wholeOf(found)
  const made = photo?.includes('/media/') ? { url: local(photo) } : null
  const picture = usePicture(photo ?? undefined, made)
  const reason = whyNot(session, 'video_clip')
  const staged = query.get('job')

  useEffect(() => { for (const one of done.split(',')) if (one) want(one) }, [done])
  useEffect(() => {
    if (!staged || id) return
    pictureAddress(staged).then((address) => { if (address) setPhoto(address) }, sayError)
  }, [staged, id])
  useEffect(() => {
    if (!found || opened.current === found.id) return
    opened.current = found.id
    setPhoto(found.input.image_url)
    setForm(formOf(found.input.options))
  }, [found?.id])

  const render = async (options: ClipOptions) => {
    if (!photo) return
    setBusy(true)
    try {
      const made = await make(CLIP, { image_url: photo, options })
      // What is chosen stays as it is.
      opened.current = made
      reload()
      setCurrent(made)
    } catch (error) {
      sayError(error)
    } finally {
      setBusy(false)
    }
  }
  const another = () => {
    setPhoto(null)
    setCurrent('')
    opened.current = null
  }
  const open = (next: string) => {
    opened.current = null
    setCurrent(next)
  }

  const status = job && statusNow(job)
  const isOwn = (one: ClipJob) => one.id !== job?.id && one.status === 'completed' && isPreview(one.input.options)
  const preview = job && !isPreview(job.input.options) ? versions.find((one) => isOwn(one) && isSameMove(one.input.options, job.input.options)) : undefined
  const cannot = isBusy || reason !== undefined || !photo
  const hasChanged = job !== null && !isSameMove(job.input.options, optionsOf(form))
  return (
    <div class="page wide">
      <div class="heading">
        <h1>{clip().title}</h1><span class="grow" />
        {photo && <button type="button" onClick={another}>{clip().newOne}</button>}
      </div>
      {!photo && <p class="quiet">{clip().hint}</p>}
      <div class="desk">
        <div class="desk-main">
          {job?.status === 'completed' && job.output.video_url ? (
            <>
              <Player key={job.id} job={job} preview={preview && wholeOf(preview)} />
              {hasChanged && <p class="hint small">{clip().changed}</p>}
            </>
          ) : photo ? (
            <>
              {picture ? <img class="waiting" src={picture.url} alt={t().original} /> : <p class="quiet">{choice().noPicture}</p>}
              {status && <JobProgress followed={followed} />}
            </>
          ) : <section class="card" aria-label={choice().title}><h2>{choice().title}</h2><PhotoChoice listing={query.get('listing') ?? undefined} photo={query.get('photo') ?? undefined} choose={({ imageUrl }) => setPhoto(imageUrl)} /></section>}
        </div>
        <div class="desk-side">
          <section class="card clip-side">
            <Controls form={form} set={(changes) => setForm({ ...form, ...changes })} />
            {reason ? <p class="hint small">{reason}</p> : !photo && <p class="quiet small">{clip().choosePhoto}</p>}
            <div class="row desk-actions">
              <button type="button" disabled={cannot} onClick={() => void render(previewOf(form))}>{clip().makePreview}</button>
              <button type="button" class="primary" disabled={cannot} onClick={() => void render(optionsOf(form))}><Icon name="spark" />{clip().render}</button>
            </div>
            <p class="quiet small">{clip().counts}</p>
            {job?.output.video_url && <a class="button" href={job.output.video_url} download><Icon name="download" />{t().download}</a>}
          </section>
        </div>
        <div class="desk-notes">
          {job?.output.video_url && <Report job={job} />}
          {versions.length > 0 && (
            <VersionCards
              title={photo ? clip().versions : clip().earlier} current={current} open={open}
              cards={shown.map((one) => ({
                job: wholeOf(one), name: nameOf(one), icon: 'photo', made: isPreview(one.input.options) ? clip().preview : clip().seconds(one.input.options.duration ?? FIRST.duration),
              }))}
            />
          )}
        </div>
      </div>
      <Curl commands={curlOf(CLIP, { image_url: photo ?? '$PHOTO', options: optionsOf(form) })} />
    </div>
  )
}
