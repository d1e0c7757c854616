// One photo, large: before and after, what was changed, and another try.

import { useEffect, useRef, useState } from 'preact/hooks'
import { cancelJob } from '../api/client'
import type { GenerateRequest, Job, Listing } from '../api/client'
import { jobs, progress, want } from '../events'
import { t } from '../messages'
import { adjustment } from '../messages/adjustments'
import { clip } from '../messages/clip'
import { pieceName } from '../messages/furniture'
import { errorText } from '../messages/reasons'
import { staging } from '../messages/staging'
import { sayError } from '../notices'
import { Compare } from '../parts/compare'
import { Icon } from '../parts/icon'
import { Notices } from '../parts/notices'
import { Feedback } from '../parts/reviews'
import { RoomSelect } from '../parts/room'
import { STYLES } from '../rooms'
import { isActive, jobsOf, statusOf, submit, withProfile } from '../set'
import type { Said } from '../sharing'
import { sending } from '../uploads'
import type { Shown } from './listing'
import { Chips } from './set-panel'
import { TruthPanel } from './truth'

interface ViewerParts {
  photo: Shown
  listing: Listing
  said: Said | undefined
  canShare: boolean
  close: () => void
  step: (by: number) => void
  changed: () => void
  relabel: (changes: { room?: string | null; empty?: boolean }) => void
}

export function Viewer({ photo, listing, said, canShare, close, step, changed, relabel }: ViewerParts) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [version, setVersion] = useState<string | null>(null)
  const [hasMask, setMask] = useState(false)
  useEffect(() => { dialog.current?.showModal() }, [])
  useEffect(() => { setVersion(null); setMask(false) }, [photo.id])

  const versions = jobsOf(listing, photo.id).map((job) => ({ ...job, status: statusOf(job) }))
  const best = versions.find((job) => job.status === 'completed' && job.job_type === 'virtual_staging')
    ?? versions.find((job) => job.status === 'completed')
  const current = versions.find((job) => job.job_id === version) ?? best ?? versions[0]
  const ended = versions.filter((job) => !isActive(job.status)).map((job) => job.job_id).join()
  useEffect(() => { for (const id of ended.split(',')) if (id) want(id) }, [ended])

  const job = current && jobs.value.get(current.job_id)
  const output = job?.output
  const sent = sending.value.get(photo.id)
  const before = output?.original_url ?? sent?.large
  const after = output && ((output as { mls_url?: string }).mls_url ?? output.image_url)

  const key = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return
    if (event.key === 'ArrowLeft') step(-1)
    if (event.key === 'ArrowRight') step(1)
  }
  const again = async (body: GenerateRequest) => {
    try {
      await submit(listing.listing_id, [{ photos: [photo.id], ...withProfile(body, job?.input.options?.disclosure_profile) }])
      setVersion(null)
      changed()
    } catch (error) {
      sayError(error)
      changed()
    }
  }

  return (
    <dialog ref={dialog} class="viewer" aria-label={photo.name} onClose={close} onKeyDown={key}>
      <div class="stage">
        {after && before ? <Compare key={current?.job_id} before={before} after={after} name={photo.name} mask={hasMask ? output?.mask_url : undefined} />
          : before ? <img class="single" src={before} alt={photo.name} />
          : after ? <img class="single" src={after} alt={photo.name} />
          : <p class="quiet">{t().noPreview}</p>}
        {versions.some((one) => isActive(one.status)) && (
          <p class="working"><span class="dot" /> {t().running} {percentOf(versions.find((one) => isActive(one.status))?.job_id)}</p>
        )}
      </div>
      <div class="side">
        <div class="row">
          <h2 class="ellipsis grow">{photo.name}</h2>
          <button class="plain" type="button" aria-label={t().previous} onClick={() => step(-1)}><Icon name="left" /></button>
          <button class="plain" type="button" aria-label={t().next} onClick={() => step(1)}><Icon name="right" /></button>
          <button class="plain" type="button" aria-label={t().close} onClick={() => dialog.current?.close()}><Icon name="close" /></button>
        </div>
        <div class="row">
          <RoomSelect value={photo.room} name={t().room} change={(room) => relabel({ room })} />
          <label class="check"><input type="checkbox" checked={photo.empty} onChange={(event) => relabel({ empty: event.currentTarget.checked })} /><span>{t().emptyRoom}</span></label>
        </div>
        <Feedback said={said} />
        {versions.length > 0 && (
          <section>
            <h3>{t().versions}</h3>
            <ul class="versions">
              {versions.map((one) => (
                <li key={one.job_id}>
                  <button type="button" aria-pressed={one.job_id === current?.job_id} onClick={() => setVersion(one.job_id)}>
                    <span class="ellipsis">{titleOf(one.job_type, jobs.value.get(one.job_id))}</span>
                    <span class="quiet small">{stateOf(one.status, one.job_id)}</span>
                  </button>
                  {isActive(one.status) && <button class="link small" type="button" onClick={() => cancelJob(one.job_id).then(changed, sayError)}>{t().cancel}</button>}
                </li>
              ))}
            </ul>
          </section>
        )}
        {output?.error && <p class="error" role="alert">{errorText(output.error)}</p>}
        {output?.mask_url && (
          <label class="check"><input type="checkbox" checked={hasMask} onChange={(event) => setMask(event.currentTarget.checked)} /><span>{t().showMask}</span></label>
        )}
        {output && !output.error && <Ledger job={job} />}
        {job && current.status === 'completed' && <TruthPanel job={job} listing={listing} canShare={canShare} />}
        {photo.isJoined && <Retry photo={photo} isStaged={current?.job_type === 'virtual_staging'} again={again} />}
        {photo.isJoined && (
          <div class="row">
            {photo.room !== 'exterior' && (
              <a class="button" href={current?.job_type === 'virtual_staging' && after ? `#/studio/staging/${current.job_id}` : `#/studio/staging?listing=${listing.listing_id}&photo=${photo.id}`}>
                <Icon name="sofa" />{staging().inStudio}
              </a>
            )}
            <a class="button" href={current?.job_type === 'virtual_staging' && after ? `#/studio/clip?job=${current.job_id}` : `#/studio/clip?listing=${listing.listing_id}&photo=${photo.id}`}>
              <Icon name="film" />{clip().makeClip}
            </a>
          </div>
        )}
        {after && <a class="button" href={output?.image_url} download><Icon name="download" />{t().download}</a>}
      </div>
      <Notices />
    </dialog>
  )
}

const percentOf = (id?: string) => {
  const percent = progress.value.get(id ?? '')?.percent
  return percent === undefined ? '' : `${percent} %`
}

function stateOf(status: string, id: string): string {
  if (status === 'completed') return ''
  if (status === 'failed') return t().failedShort
  return status === 'running' ? `${t().running} ${percentOf(id)}` : t().queued
}

function titleOf(kind: string, job?: Job): string {
  const { prompt, style_prompt, preset } = job?.input.options ?? {}
  const name = kind === 'virtual_staging' ? t().staged : kind === 'image_enhance' ? t().enhanced : t().kinds[kind] ?? kind
  const how = prompt ?? (style_prompt && (t().styles[style_prompt] ?? style_prompt)) ?? (preset && preset !== 'natural' ? t().looks[preset] : undefined)
  return how ? `${name} · ${how}` : name
}

function Ledger({ job }: { job: Job }) {
  const { adjustments, furniture, doubts, disclosure } = job.output
  const changes = adjustments?.changes
  const pieces = new Map<string, number>()
  for (const { piece } of furniture ?? []) pieces.set(piece, (pieces.get(piece) ?? 0) + 1)
  return (
    <div class="ledger">
      {changes && (
        <section>
          <h3>{t().changes}</h3>
          {changes.length === 0 ? <p class="quiet small">{t().nothingChanged}</p> : (
            <dl>
              {changes.map(({ name, amount, unit, material }) => (
                <div key={name}><dt>{adjustment(name)}{material && ' *'}</dt><dd>{Math.abs(amount) >= 10 ? amount.toFixed(0) : amount.toFixed(2)} {adjustment(unit)}</dd></div>
              ))}
            </dl>
          )}
        </section>
      )}
      <Lines title={t().refusedWords} lines={adjustments?.refused?.map(({ request, reason }) => `${request}: ${reason}`)} />
      <Lines title={t().unknownWords} lines={adjustments?.not_understood} />
      <Lines title={t().steppedBack} lines={adjustments?.stepped_back} />
      <Lines title={t().furniture} lines={pieces.size > 0 ? [[...pieces].map(([piece, count]) => (count > 1 ? `${count} × ${pieceName(piece)}` : pieceName(piece))).join(', ')] : undefined} />
      <Lines title={t().doubts} lines={doubts} />
      <Lines title={t().disclosure} lines={disclosure?.text ? [disclosure.text] : undefined} />
    </div>
  )
}

export function Lines({ title, lines }: { title: string; lines?: string[] }) {
  if (!lines || lines.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul class="small">{lines.map((line) => <li key={line}>{line}</li>)}</ul>
    </section>
  )
}

function Retry({ photo, isStaged, again }: { photo: Shown; isStaged: boolean; again: (body: GenerateRequest) => Promise<void> }) {
  const [prompt, setPrompt] = useState('')
  const [style, setStyle] = useState(STYLES[1] ?? '')
  const [isBusy, setBusy] = useState(false)
  const run = (body: GenerateRequest) => {
    setBusy(true)
    void again(body).finally(() => setBusy(false))
  }
  const canStage = photo.empty && photo.room !== null && photo.room !== 'exterior'
  return (
    <section class="retry">
      <h3>{t().retry}</h3>
      <form onSubmit={(event) => { event.preventDefault(); run({ enhance: { options: { prompt: prompt.trim() } } }) }}>
        <label class="field"><span>{t().retryEnhance}</span>
          <input name="prompt" value={prompt} maxLength={2000} placeholder={t().retryEnhanceHint} onInput={(event) => setPrompt(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={isBusy || prompt.trim() === ''}>{t().retryEnhanceDo}</button>
      </form>
      {canStage ? (
        <div class="stack">
          <Chips label={t().retryStage} values={STYLES} names={t().styles} chosen={style} choose={setStyle} />
          <button type="button" disabled={isBusy} onClick={() => run({ stage: { options: { style_prompt: style } } })}>{isStaged ? t().retryStageDo : t().stageThis}</button>
        </div>
      ) : photo.room !== 'exterior' && <p class="quiet small">{t().needsRoom}</p>}
    </section>
  )
}
