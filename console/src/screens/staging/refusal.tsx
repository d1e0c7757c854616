// A room that was not furnished: why, beside the picture, and what to do about it.

import { useState } from 'preact/hooks'
import type { StagingJob, StagingOptions } from '../../api/rooms'
import { t } from '../../messages'
import { choice } from '../../messages/photo-choice'
import { staging } from '../../messages/staging'
import type { PhotoPicture } from '../../picture'
import { Floor } from './floor'

interface RefusalParts {
  job: StagingJob
  picture: PhotoPicture | null
  reason?: string
  isBusy: boolean
  render: (changes: StagingOptions, room?: string) => void
  /** The picture before. */
  back?: string
  open: (id: string) => void
}

const TERRACE = 'outdoor_patio'

export function Refusal({ job, picture, reason, isBusy, render, back, open }: RefusalParts) {
  const [corrects, setCorrects] = useState(false)
  const { code = '', message = '' } = job.output.error ?? {}
  const isArranged = Boolean(job.input.options?.arrangement)
  const cannot = isBusy || reason !== undefined
  const why = (
    <div class="problem card" role="alert">
      <h2>{staging().refused}</h2>
      <p>{message}</p>
      <p class="quiet">{staging().remedies[code] ?? ''}</p>
      {reason && <p class="hint small">{reason}</p>}
      <div class="row">
        {isArranged && back && <button type="button" class="primary" onClick={() => open(back)}>{staging().backToPieces}</button>}
        {code === 'ROOM_NOT_EMPTY' && <button type="button" class="primary" disabled={cannot} onClick={() => render({ room_is_empty: true })}>{staging().isEmpty}</button>}
        {code === 'NOT_A_ROOM' && <a class="button" href="#/studio/staging">{choice().another}</a>}
        {code !== 'ROOM_NOT_EMPTY' && code !== 'NOT_A_ROOM' && !isArranged && (
          <button type="button" disabled={cannot} onClick={() => render({})}>{staging().tryAgain}</button>
        )}
        {code === 'NOT_A_ROOM' && <button type="button" disabled={cannot} onClick={() => render({}, TERRACE)}>{staging().asTerrace}</button>}
        {code !== 'NOT_A_ROOM' && !corrects && picture?.size && <button type="button" onClick={() => setCorrects(true)}>{staging().floor}</button>}
      </div>
      {code !== 'NOT_A_ROOM' && !picture?.size && <p class="quiet small">{staging().needsPicture}</p>}
    </div>
  )
  if (corrects && picture?.size) {
    return (
      <>
        {why}
        <Floor
          picture={picture.url} size={picture.size} request={job.input} reason={reason} isBusy={isBusy}
          render={(corrections) => render({ ...corrections, floor_polygon: undefined, arrangement: undefined })}
        />
      </>
    )
  }
  return (
    <div class="desk">
      <div class="desk-main">{picture ? <img class="waiting" src={picture.url} alt={t().original} /> : <p class="quiet">{choice().noPicture}</p>}</div>
      <div class="desk-side">{why}</div>
    </div>
  )
}
