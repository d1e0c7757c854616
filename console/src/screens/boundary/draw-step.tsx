// Drawing the boundary: the picture, what it measures, and what is wrong with it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { annotate } from '../../api/desks'
import type { AddressJob, Point } from '../../api/desks'
import { missed } from '../../events'
import { keepDrawing, keptDrawing } from '../../kept'
import { boundary } from '../../messages/boundary'
import { sayError } from '../../notices'
import { Icon } from '../../parts/icon'
import type { IconName } from '../../parts/icon'
import { usePinned } from '../../pinned'
import { useSubmission } from '../../submit'
import { blank, changed, redone, removed, undone } from './drawing'
import type { Drawing, Outline } from './drawing'
import { Editor } from './editor'
import { Measures, problemOf } from './measures'
import { annotated, load } from './picture'
import { measure, ringOf, turned } from './polygon'
import { meters, squareFeet, squareMeters } from './units'
import { WHOLE, zoomed } from './view'

interface DrawParts {
  job: AddressJob
  orientation: string
  refusal: string
  other: () => void
}

export function DrawStep({ job, orientation, refusal, other }: DrawParts) {
  const variant = job.output.orientation_variants?.find(({ key }) => key === orientation)
  const picture = usePinned(`${job.id} ${orientation}`, variant?.enhanced_url) ?? ''
  const ground = variant?.ground
  const [side, setSide] = useState(ground?.width ?? 0)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [selected, select] = useState(-1)
  const [view, show] = useState(WHOLE)
  const { isBusy, problem: refused, run } = useSubmission()
  const isLoaded = useRef(false)

  useEffect(() => {
    if (picture && !side) load(picture).then((image) => setSide(image.naturalWidth), sayError)
  }, [picture, side])
  useEffect(() => {
    if (!side) return
    let isCurrent = true
    void keptDrawing<Drawing>(job.id).then((kept) => {
      if (!isCurrent) return
      const turn = ({ corners, isClosed }: Outline): Outline => ({ corners: turned(corners, kept?.orientation ?? '', orientation, side), isClosed })
      isLoaded.current = true
      setDrawing(kept ? { orientation, now: turn(kept.now), past: kept.past.map(turn), future: kept.future.map(turn) } : blank(orientation))
    })
    return () => { isCurrent = false }
  }, [job.id, orientation, side])
  useEffect(() => {
    if (!drawing || !isLoaded.current) return
    void keepDrawing(job.id, drawing)
    const key = (event: KeyboardEvent) => {
      const letter = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : ''
      if (letter !== 'z' && letter !== 'y') return
      event.preventDefault()
      setDrawing(letter === 'z' && !event.shiftKey ? undone(drawing) : redone(drawing))
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [drawing])

  if (!drawing || !side) return null
  const { corners, isClosed } = drawing.now
  const measured = ground && corners.length > 1 ? measure(corners, ground) : undefined
  const parcel = ground && job.output.suggested_boundary ? ringOf(job.output.suggested_boundary, ground) : []
  const problem = problemOf(drawing.now)
  const become = (ring: readonly Point[]) => {
    setDrawing(changed(drawing, { corners: ring, isClosed: true }))
    select(-1)
  }
  const zoom = (by: number) => show(zoomed(view, by, [view.x + side / view.zoom / 2, view.y + side / view.zoom / 2], side))
  const submit = async () => {
    await run(async () => annotate(job.id, await annotated(picture, corners), corners))
    // The job is completed now, perhaps even if no response arrived: it is read again.
    missed.value += 1
  }
  const readout = measured && isClosed ? `${squareMeters(measured.area)} · ${squareFeet(measured.area)}`
    : corners.length === 0 ? boundary().tap : isClosed ? '' : corners.length < 3 ? boundary().more : boundary().close
  const tools: [IconName, string, boolean, () => void][] = [
    ['undo', boundary().undo, drawing.past.length > 0, () => setDrawing(undone(drawing))],
    ['redo', boundary().redo, drawing.future.length > 0, () => setDrawing(redone(drawing))],
    ['trash', boundary().deleteCorner, selected >= 0 && selected < corners.length, () => { setDrawing(changed(drawing, removed(drawing.now, selected))); select(-1) }],
    ['minus', boundary().zoomOut, view.zoom > 1, () => zoom(1 / 1.5)],
    ['plus', boundary().zoomIn, view.zoom < 8, () => zoom(1.5)],
  ]
  const inset: Point[] = [[0.35, 0.35], [0.65, 0.35], [0.65, 0.65], [0.35, 0.65]].map(([x = 0, y = 0]) => [x * side, y * side])
  return (
    <div class="draw">
      <section class="easel" aria-label={boundary().surface}>
        <Editor
          picture={picture} side={side} parcel={parcel} drawing={drawing} change={setDrawing} selected={selected} select={select}
          view={view} show={show} lengths={measured?.lengths.map(meters) ?? []}
        />
        {readout && <p class="readout" data-testid="readout">{readout}</p>}
        <div class="tools" role="toolbar" aria-label={boundary().title}>
          {tools.map(([icon, name, isEnabled, act]) => (
            <button key={icon} type="button" aria-label={name} title={name} disabled={!isEnabled} onClick={act}><Icon name={icon} /></button>
          ))}
        </div>
      </section>
      <aside class="desk-panel" aria-label={boundary().area}>
        {parcel.length > 2 && <button type="button" onClick={() => become(parcel)}><Icon name="outline" />{boundary().parcel}</button>}
        {parcel.length > 2 && <p class="quiet small">{boundary().parcelHint}</p>}
        <Measures measured={measured} isClosed={isClosed} hasGround={Boolean(ground)} />
        {problem && corners.length > 0 && <p class={isClosed ? 'problem' : 'quiet small'} role="status">{problem}</p>}
        <div class="row">
          {corners.length === 0 && parcel.length < 3 && <button type="button" onClick={() => become(inset)}>{boundary().rectangle}</button>}
          {corners.length > 0 && <button type="button" onClick={() => { setDrawing(changed(drawing, blank(orientation).now)); select(-1) }}>{boundary().clear}</button>}
          <button type="button" onClick={other}>{boundary().other}</button>
        </div>
        <details class="small"><summary class="quiet">{boundary().helpTitle}</summary><p class="quiet" id="draw-help">{boundary().help}</p></details>
        <div class="make">
          <p class="quiet small">{refusal || boundary().approximate}</p>
          {refused && <p class="problem" role="alert">{refused}</p>}
          <button class="primary wide" type="button" disabled={isBusy || Boolean(problem) || Boolean(refusal)} onClick={() => void submit()}>{isBusy ? boundary().submitting : boundary().submit}</button>
        </div>
      </aside>
    </div>
  )
}
