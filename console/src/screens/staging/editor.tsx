// A finished picture: its furniture to rearrange, compared with the photo, its floor to correct.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { STAGING } from '../../api/rooms'
import type { StagingJob, StagingOptions } from '../../api/rooms'
import { useArrangement } from '../../arrangement'
import { cameraOf } from '../../camera'
import type { Point } from '../../camera'
import { curlOf } from '../../curl-of'
import { box, placed } from '../../furniture'
import { t } from '../../messages'
import { staging } from '../../messages/staging'
import { sayError } from '../../notices'
import { Compare } from '../../parts/compare'
import { Curl } from '../../parts/curl'
import { Icon } from '../../parts/icon'
import type { PhotoPicture } from '../../picture'
import { Chips } from '../set-panel'
import { Board } from './board'
import { Floor } from './floor'
import { Notes } from './notes'
import { PiecePanel } from './piece-panel'
import { Plan } from './plan'
import { STYLE_CARDS, StyleCards } from './styles'
import { makeDrafts } from './start'

interface EditorParts {
  job: StagingJob
  picture: PhotoPicture | null
  reason?: string
  isBusy: boolean
  render: (changes: StagingOptions) => void
  /** Other pictures of the room. */
  others: StagingJob[]
  opened: (id: string) => void
}

const VIEWS = ['arrange', 'compare', 'floor'] as const

export function Editor({ job, picture, reason, isBusy, render, others, opened }: EditorParts) {
  const { output, input } = job
  const arrangement = useArrangement(job)
  const [view, setView] = useState<string>('arrange')
  const [selected, setSelected] = useState<number | null>(null)
  const [hasMask, setMask] = useState(false)
  const original = output.furniture ?? []
  const size: [number, number] = [output.width ?? 1, output.height ?? 1]
  const camera = useMemo(() => {
    const seen = original.map((piece) => ({ corners: box(piece), outline: piece.polygon ?? [] }))
    return output.scale ? cameraOf(size[0], size[1], output.scale.camera_height, seen) : null
  }, [job.id])
  const corners = input.options?.room_corners as Point[] | undefined
  const names: Record<string, string> = { arrange: staging().arrange, compare: staging().compare, floor: staging().floor }
  const after = output.image_url ?? ''

  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      setSelected(null)
      if (event.shiftKey) arrangement.redo?.()
      else arrangement.undo?.()
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  })
  useEffect(() => { if (selected !== null && selected >= arrangement.pieces.length) setSelected(null) }, [arrangement.pieces.length])

  const asked = (quality: 'draft' | 'final'): StagingOptions => ({
    quality,
    seed: output.seed ?? input.options?.seed,
    ...(arrangement.pieces.length > 0 ? { arrangement: arrangement.pieces.map(placed) } : {}),
  })
  const cannot = isBusy || reason !== undefined || arrangement.pieces.length === 0
  const shared = { arrangement, selected, select: setSelected, camera }
  return (
    <>
      <div class="row">
        <Chips label={staging().views} values={VIEWS} names={names} chosen={view} choose={setView} />
        <span class="grow" />
        {view === 'compare' && output.mask_url && (
          <label class="check"><input type="checkbox" checked={hasMask} onChange={(event) => setMask(event.currentTarget.checked)} /><span>{t().showMask}</span></label>
        )}
        <a class="button" href={`#/studio/clip?job=${job.id}`}>{staging().makeClip}</a>
        <a class="button" href={after} download><Icon name="download" />{t().download}</a>
      </div>
      {view === 'floor' ? (
        <Floor
          picture={output.original_url ?? picture?.url ?? ''} size={size} request={input} reason={reason} isBusy={isBusy}
          render={(corrections) => render({ ...corrections, floor_polygon: undefined, arrangement: undefined, quality: 'draft' })}
        />
      ) : (
        <div class="desk">
          <div class="desk-main">
            {view === 'arrange' ? (
              <>
                <Board picture={after} name={t().staged} size={size} {...shared} />
                <p class="quiet small">{camera ? staging().pictureHint : staging().noCamera}</p>
              </>
            ) : <Compare before={output.original_url ?? ''} after={after} mask={hasMask ? output.mask_url : undefined} name={t().staged} />}
          </div>
          <div class="desk-side">
            {view === 'arrange' && (
              <section class="card">
                <h2>{staging().plan}</h2>
                <Plan original={original} corners={corners} {...shared} />
                <p class="quiet small">{staging().planHint}</p>
                <PiecePanel arrangement={arrangement} selected={selected} select={setSelected} others={others.flatMap((one) => one.output.furniture ?? [])} />
              </section>
            )}
            <section class="card render">
              <p class="small" role="status">{arrangement.isChanged ? staging().moved : staging().isTheSame}</p>
              {reason && <p class="hint small">{reason}</p>}
              <div class="row">
                <button type="button" disabled={cannot || !arrangement.isChanged} onClick={() => render(asked('draft'))}>{staging().renderDraft}</button>
                <button type="button" class="primary" disabled={cannot} onClick={() => render(asked('final'))}><Icon name="spark" />{staging().renderFinal}</button>
              </div>
              <p class="quiet small">{staging().counts(1)}</p>
            </section>
            <MoreDrafts job={job} reason={reason} made={[job, ...others]} opened={opened} />
          </div>
          <div class="desk-notes"><Notes job={job} /></div>
        </div>
      )}
      <Curl commands={curlOf(STAGING, { ...input, options: { ...input.options, ...asked('final') } })} />
    </>
  )
}

function MoreDrafts({ job, made, reason, opened }: { job: StagingJob; made: StagingJob[]; reason?: string; opened: (id: string) => void }) {
  const [styles, setStyles] = useState<string[]>(() => {
    const has = new Set(made.map((one) => one.input.options?.style_prompt))
    return STYLE_CARDS.filter((style) => !has.has(style)).slice(0, 1)
  })
  const [isBusy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    makeDrafts(job.input.image_url, job.input.room_type, styles).then((id) => { if (id) opened(id) }, sayError).finally(() => setBusy(false))
  }
  return (
    <details class="card more-drafts">
      <summary>{staging().moreDrafts}</summary>
      <StyleCards chosen={styles} choose={setStyles} />
      <button type="button" disabled={isBusy || reason !== undefined || styles.length === 0} onClick={run}>{staging().makeDrafts(Math.max(1, styles.length))}</button>
      {styles.length > 0 && <p class="quiet small">{staging().counts(styles.length)}</p>}
    </details>
  )
}
