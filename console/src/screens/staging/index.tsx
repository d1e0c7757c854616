// The staging studio: a room in several styles, and its furniture piece by piece.

import { useRef, useState } from 'preact/hooks'
import type { Session } from '../../api/client'
import { STAGING } from '../../api/rooms'
import type { StagingJob, StagingOptions } from '../../api/rooms'
import { make, useJob } from '../../job'
import { t } from '../../messages'
import { choice } from '../../messages/photo-choice'
import { staging } from '../../messages/staging'
import { sayError } from '../../notices'
import { Icon } from '../../parts/icon'
import { JobProgress } from '../../parts/job-progress'
import { whyNot } from '../../parts/photo-choice'
import { usePicture } from '../../picture'
import { useShownJob } from '../../shown-job'
import { statusNow, useVersions } from '../../versions'
import { Editor } from './editor'
import { Refusal } from './refusal'
import { Start } from './start'
import { Versions, nameOf } from './versions'
import './staging.css'

export function StagingScreen({ session, id }: { session: Session; id: string }) {
  return id ? <Room key={id} session={session} first={id} /> : <Start key="start" session={session} />
}

/** The picture that a job was made from; otherwise, the newest one before it. */
function before(job: StagingJob, versions: StagingJob[]): string | undefined {
  const finished = versions.filter((one) => one.status === 'completed' && one.created_at < job.created_at)
  return (finished.find(({ id }) => id === sessionStorage.getItem(`before ${job.id}`)) ?? finished[0])?.id
}

function Room({ session, first }: { session: Session; first: string }) {
  const [current, setCurrent] = useShownJob('/studio/staging', first)
  const [isBusy, setBusy] = useState(false)
  const followed = useJob(current)
  const photo = useRef('')
  if (followed.job) photo.current = (followed.job as unknown as StagingJob).input.image_url
  const [versions, reload] = useVersions<StagingJob>('virtual_staging', photo.current)
  const listed = versions.find((job) => job.id === current)
  const job = listed?.status === followed.job?.status || !followed.job ? listed : (followed.job as unknown as StagingJob)
  const made = versions.find((one) => one.output.original_url && one.output.width)
  const picture = usePicture(
    photo.current || undefined,
    made ? { url: made.output.original_url ?? '', size: [made.output.width ?? 1, made.output.height ?? 1] } : null,
  )
  const reason = whyNot(session, 'virtual_staging')

  /** Another picture of this room. */
  const render = async (changes: StagingOptions, room?: string) => {
    if (!job) return
    setBusy(true)
    try {
      const { variations, mls, ...options } = job.input.options ?? {}
      const id = await make(STAGING, { ...job.input, room_type: room ?? job.input.room_type, options: { ...options, ...changes } })
      sessionStorage.setItem(`before ${id}`, job.id)
      reload()
      setCurrent(id)
    } catch (error) {
      sayError(error)
    } finally {
      setBusy(false)
    }
  }

  if (!job) return <div class="page"><p class="quiet">{t().loading}</p></div>
  const status = statusNow(job)
  const shared = { job, picture, reason, isBusy, render: (changes: StagingOptions, room?: string) => void render(changes, room) }
  return (
    <div class="page wide staging">
      <div class="heading">
        <a class="plain back" href="#/studio/staging" aria-label={staging().newOne}><Icon name="left" /></a>
        <h1>{t().rooms[job.input.room_type] ?? job.input.room_type} · {nameOf(job)}</h1>
      </div>
      {versions.length > 1 && <Versions versions={versions} current={current} title={staging().versions} open={setCurrent} />}
      {status === 'completed' && job.output.furniture ? (
        <Editor key={job.id} {...shared} others={versions.filter((one) => one.id !== job.id)} opened={(id) => { reload(); setCurrent(id) }} />
      ) : status === 'failed' ? (
        <Refusal key={job.id} {...shared} back={before(job, versions)} open={setCurrent} />
      ) : (
        <div class="desk">
          <div class="desk-main">
            {picture ? <img class="waiting" src={picture.url} alt={t().original} /> : <p class="quiet">{choice().noPicture}</p>}
          </div>
          <div class="desk-side card"><JobProgress followed={followed} /></div>
        </div>
      )}
    </div>
  )
}
