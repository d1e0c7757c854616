// A new room: its photo, what room it is, and the styles of its drafts.

import { useState } from 'preact/hooks'
import type { Session } from '../../api/client'
import { STAGING } from '../../api/rooms'
import type { StagingJob, StagingRequest } from '../../api/rooms'
import { curlOf } from '../../curl-of'
import { make } from '../../job'
import { choice } from '../../messages/photo-choice'
import { staging } from '../../messages/staging'
import { sayError } from '../../notices'
import { Curl } from '../../parts/curl'
import { Icon } from '../../parts/icon'
import { PhotoChoice, whyNot } from '../../parts/photo-choice'
import type { ChosenPhoto } from '../../parts/photo-choice'
import { RoomSelect } from '../../parts/room'
import { usePicture } from '../../picture'
import { go, route } from '../../route'
import { statusNow, useVersions } from '../../versions'
import { MOST_DRAFTS, STYLE_CARDS, StyleCards } from './styles'
import { Versions } from './versions'

const MOST_EARLIER = 12

const draftOf = (imageUrl: string, room: string, style: string): StagingRequest => ({
  image_url: imageUrl,
  room_type: room,
  options: { style_prompt: style, quality: 'draft' },
})

/** Makes drafts of a photo in several styles; gives the first. */
export async function makeDrafts(imageUrl: string, room: string, styles: string[]): Promise<string | undefined> {
  let first: string | undefined
  for (const style of styles) {
    const id = await make(STAGING, draftOf(imageUrl, room, style))
    first ??= id
  }
  return first
}

export function Start({ session }: { session: Session }) {
  const query = new URLSearchParams(route.value.split('?')[1])
  const [photo, setPhoto] = useState<ChosenPhoto | null>(null)
  const [room, setRoom] = useState<string | null>(null)
  const [styles, setStyles] = useState(STYLE_CARDS.slice(0, MOST_DRAFTS))
  const [isBusy, setBusy] = useState(false)
  const [earlier] = useVersions<StagingJob>('virtual_staging')
  const picture = usePicture(photo?.imageUrl, null)
  const reason = whyNot(session, 'virtual_staging')
  const isReady = photo !== null && room !== null && styles.length > 0

  const run = async () => {
    if (!photo || !room) return
    setBusy(true)
    try {
      const first = await makeDrafts(photo.imageUrl, room, styles)
      if (first) go(`/studio/staging/${first}`)
    } catch (error) {
      sayError(error)
    } finally {
      setBusy(false)
    }
  }
  // Of each photo, the newest picture that there is or will be.
  const rooms = earlier
    .filter((job) => statusNow(job) !== 'failed')
    .filter((job, at, all) => all.findIndex((other) => other.input.image_url === job.input.image_url) === at)
    .slice(0, MOST_EARLIER)

  return (
    <div class="page wide staging">
      <div class="heading"><h1>{staging().title}</h1></div>
      <p class="quiet">{staging().hint}</p>
      <div class="desk start">
        <section class="card" aria-label={choice().title}>
          <div class="row"><h2 class="grow">{choice().title}</h2>{photo && <button type="button" onClick={() => setPhoto(null)}>{choice().another}</button>}</div>
          {photo ? (
            <figure class="chosen">
              {picture ? <img src={picture.url} alt={photo.name} /> : <p class="quiet small">{choice().noPicture}</p>}
              <figcaption class="quiet small ellipsis">{photo.name}</figcaption>
            </figure>
          ) : (
            <PhotoChoice
              listing={query.get('listing') ?? undefined} photo={query.get('photo') ?? undefined}
              choose={(chosen) => { setPhoto(chosen); if (chosen.room) setRoom(chosen.room) }}
            />
          )}
          <label class="field"><span>{staging().room}</span><RoomSelect value={room} name={staging().room} change={setRoom} /></label>
        </section>
        <section class="card">
          <StyleCards chosen={styles} choose={setStyles} />
          {reason ? <p class="hint small">{reason}</p> : !photo ? <p class="quiet small">{staging().choosePhoto}</p> : !room && <p class="quiet small">{staging().chooseRoom}</p>}
          <div class="row">
            <button class="primary" type="button" disabled={isBusy || !isReady || reason !== undefined} onClick={() => void run()}>
              <Icon name="spark" />{staging().makeDrafts(Math.max(1, styles.length))}
            </button>
            <span class="quiet small">{styles.length > 0 && staging().counts(styles.length)}</span>
          </div>
        </section>
      </div>
      {rooms.length > 0 && <Versions versions={rooms} current={null} title={staging().earlier} open={(id) => go(`/studio/staging/${id}`)} />}
      <Curl commands={curlOf(STAGING, draftOf(photo?.imageUrl ?? '$PHOTO', room ?? 'living_room', styles[0] ?? 'modern'))} />
    </div>
  )
}
