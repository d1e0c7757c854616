// One listing: its photos, their rooms, the set, and what was made.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { Refused, archiveUrl, changeListing, deleteListing, getListing } from '../api/client'
import type { Listing, ListingPhoto } from '../api/client'
import { isFollowing, jobs, missed, want } from '../events'
import { t } from '../messages'
import { sharing as m } from '../messages/share'
import { errorText } from '../messages/reasons'
import { say, sayError } from '../notices'
import { Curl } from '../parts/curl'
import { ChooseFiles, DropZone } from '../parts/drop'
import type { Chosen } from '../parts/drop'
import { Icon } from '../parts/icon'
import { Menu } from '../parts/menu'
import { RoomSelect } from '../parts/room'
import { Tile } from '../parts/tile'
import { go } from '../route'
import { statusOf, submitKept } from '../set'
import { useSharing } from '../sharing'
import { add, changePhotos, elsewhere, label, onNoted, removeSent, sending, titleOf } from '../uploads'
import { sayAdded } from './listings'
import { SetPanel } from './set-panel'
import { SharePanel } from './share-panel'
import { Viewer } from './viewer'

/** A photo as the screen shows it, of the listing or on its way to it. */
export interface Shown {
  id: string
  name: string
  room: string | null
  empty: boolean
  isJoined: boolean
}

const shown = (photo: ListingPhoto): Shown => ({
  id: photo.id ?? '',
  name: photo.title || photo.id || '',
  room: photo.room_type ?? null,
  empty: photo.empty ?? false,
  isJoined: true,
})

const curl = (id: string) => `PHOTO=$(curl -s "$BASE/v1/uploads?filename=kitchen.jpg" -H "X-API-Key: $KEY" \\
  -H "Content-Type: image/jpeg" --data-binary @kitchen.jpg | jq -r .data.image_url)
curl -s -X PATCH "$BASE/v1/listings/${id}" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"photos": [{"image_url": "'$PHOTO'", "room_type": "kitchen"}]}'
curl -s "$BASE/v1/listings/${id}/generate" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" -d '{"enhance": true, "stage": true}'
curl -s "$BASE/v1/listings/${id}" -H "X-API-Key: $KEY"
curl -s "$BASE/v1/listings/${id}/archive" -H "X-API-Key: $KEY" -o listing.zip`

export function ListingScreen({ id, canShare }: { id: string; canShare: boolean }) {
  const [listing, setListing] = useState<Listing | null>(null)
  const [problem, setProblem] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<string | null>(null)
  const [isSharing, setSharing] = useState(false)
  const sharing = useSharing(id)

  const load = useCallback(async () => {
    try {
      setListing(await getListing(id))
      setProblem('')
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : t().offline)
    }
  }, [id])

  useEffect(() => void load(), [load, missed.value])
  useEffect(() => {
    if (isFollowing.value) return
    const timer = setInterval(() => void load(), 10_000)
    return () => clearInterval(timer)
  }, [load, isFollowing.value])
  useEffect(() => {
    onNoted((noted) => { if (noted === id) void load() })
    return () => onNoted(() => {})
  }, [id, load])
  useEffect(() => {
    submitKept(id).then((hadSome) => { if (hadSome) void load() }, sayError)
  }, [id, load, missed.value])

  const count = listing?.photos.length ?? 0
  const take = useCallback(({ files }: Chosen) => {
    const waiting = [...sending.value.values()].filter((photo) => photo.listing === id && !photo.joined).length
    add(id, files, count + waiting).then(sayAdded, sayError)
  }, [id, count])

  const own = [...sending.value.values()].filter((photo) => photo.listing === id)
  const photos = useMemo(() => {
    const joined = (listing?.photos ?? []).map(shown)
    const has = new Set(joined.map((photo) => photo.id))
    const coming = own.filter((photo) => !photo.joined && !has.has(photo.id))
    return [...joined, ...coming.map(({ id, name, room, empty }) => ({ id, name: titleOf(name), room, empty, isJoined: false }))]
  }, [listing, sending.value])

  if (!listing) {
    return (
      <div class="page">
        {problem ? <div class="card stack"><p role="alert">{problem}</p><p><a href="#/">{t().listings}</a></p></div>
          : <p class="quiet">{t().loading}</p>}
      </div>
    )
  }

  const relabel = (ids: Iterable<string>, changes: { room?: string | null; empty?: boolean }) => {
    const some = new Set(ids)
    for (const photo of some) void label(photo, changes)
    const changed = (photo: ListingPhoto): ListingPhoto => {
      if (!some.has(photo.id ?? '')) return photo
      const next = { ...photo }
      if (changes.room !== undefined) next.room_type = changes.room ?? undefined
      if (changes.empty !== undefined) next.empty = changes.empty || undefined
      return next
    }
    if (!listing.photos.some((photo) => some.has(photo.id ?? ''))) return
    setListing({ ...listing, photos: listing.photos.map(changed) })
    changePhotos(id, (all) => all.map(changed)).catch((error) => { sayError(error); void load() })
  }

  const remove = async (ids: ReadonlySet<string>) => {
    if (!confirm(t().removeAsk(ids.size))) return
    setSelected(new Set())
    try {
      for (const photo of ids) await removeSent(photo)
      await changePhotos(id, (all) => all.filter((photo) => !ids.has(photo.id ?? '')))
    } catch (error) {
      sayError(error)
    }
  }

  const toggle = (photo: string) => {
    const next = new Set(selected)
    if (!next.delete(photo)) next.add(photo)
    setSelected(next)
  }

  const states = listing.jobs.map((job) => ({ job, status: statusOf(job) }))
  const flights = states.filter(({ job }) => !job.photo_id)
  const busy = own.filter((photo) => photo.state === 'sending' || photo.state === 'waiting').length
  const at = photos.findIndex((photo) => photo.id === open)

  return (
    <DropZone take={take}>
      <div class="page wide">
        <ListingHeading listing={listing} changed={setListing} share={() => { setSharing(true); sharing.load().catch(sayError) }} />
        {selected.size > 0 && (
          <div class="bulk" role="toolbar" aria-label={t().selected(selected.size)}>
            <strong>{t().selected(selected.size)}</strong>
            <button type="button" onClick={() => setSelected(new Set(photos.map((photo) => photo.id)))}>{t().selectAll}</button>
            <RoomSelect value={null} name={t().room} change={(room) => relabel(selected, { room })} />
            <button type="button" onClick={() => relabel(selected, { empty: true })}>{t().markEmpty}</button>
            <button type="button" class="danger" onClick={() => void remove(selected)}>{t().remove}</button>
            <button type="button" onClick={() => setSelected(new Set())}>{t().clear}</button>
          </div>
        )}
        {photos.length === 0 ? (
          <section class="drop big" aria-label={t().addPhotos}>
            <Icon name="folder" />
            <div><h2>{t().emptyListing}</h2><p class="quiet">{t().dropTitle}</p></div>
            <ChooseFiles take={take} />
          </section>
        ) : (
          <div class="columns">
            <section aria-label={t().photos(photos.length)}>
              <div class="toolbar">
                <h2>{t().photos(photos.length)}</h2>
                {busy > 0 && <span class="quiet" role="status">{t().uploading(own.length - busy, own.length)}</span>}
                <span class="grow" />
                <ChooseFiles take={take} isSmall />
              </div>
              {busy > 0 && <p class="quiet small">{elsewhere.value ? t().waitsForTab : t().kept}</p>}
              <ul class="tiles">
                {photos.map((photo) => (
                  <Tile
                    key={photo.id} photo={photo} said={sharing.ofPhoto.get(photo.id)} listing={listing} isSelected={selected.has(photo.id)}
                    toggle={() => toggle(photo.id)} open={() => setOpen(photo.id)}
                    relabel={(changes) => relabel([photo.id], changes)}
                  />
                ))}
                {flights.map(({ job, status }) => <Flight key={job.job_id} id={job.job_id} status={status} />)}
              </ul>
            </section>
            <SetPanel
              listing={listing} selected={selected} isUploading={busy > 0} names={new Map(photos.map(({ id, name }) => [id, name]))}
              submitted={() => { setSelected(new Set()); void load() }}
            />
          </div>
        )}
        <Curl commands={curl(id)} />
        {isSharing && <SharePanel listing={listing} sharing={sharing} canShare={canShare} close={() => setSharing(false)} />}
        {at >= 0 && photos[at] && (
          <Viewer
            photo={photos[at]} listing={listing} said={sharing.ofPhoto.get(photos[at].id)} canShare={canShare} close={() => setOpen(null)} changed={() => void load()}
            relabel={(changes) => relabel([photos[at]?.id ?? ''], changes)}
            step={(by) => setOpen(photos[(at + by + photos.length) % photos.length]?.id ?? null)}
          />
        )}
      </div>
    </DropZone>
  )
}

function ListingHeading({ listing, changed, share }: { listing: Listing; changed: (listing: Listing) => void; share: () => void }) {
  const save = (field: 'reference' | 'address') => (event: Event) => {
    const input = event.currentTarget as HTMLInputElement
    const value = input.value.trim()
    if (value === (listing[field] ?? '')) return
    changeListing(listing.listing_id, { [field]: value || null }).then(changed, (error) => {
      input.value = listing[field] ?? ''
      sayError(error)
    })
  }
  const drop = async () => {
    if (!confirm(t().deleteAsk)) return
    try {
      await deleteListing(listing.listing_id)
      for (const photo of sending.value.values()) if (photo.listing === listing.listing_id) await removeSent(photo.id)
      go('/')
    } catch (error) {
      sayError(error)
    }
  }
  const enter = (event: KeyboardEvent) => { if (event.key === 'Enter') (event.currentTarget as HTMLInputElement).blur() }
  const done = listing.jobs.some((job) => statusOf(job) === 'completed')
  return (
    <div class="heading listing">
      <h1 class="hidden">{listing.reference ?? listing.address ?? t().untitled}</h1>
      <a class="plain back" href="#/" aria-label={t().listings}><Icon name="left" /></a>
      <label class="inline title"><span class="hidden">{t().reference}</span>
        <input value={listing.reference ?? ''} placeholder={t().untitled} maxLength={128} onBlur={save('reference')} onKeyDown={enter} />
      </label>
      <label class="inline"><span class="hidden">{t().address}</span>
        <input value={listing.address ?? ''} placeholder={t().address} title={t().addressHint} maxLength={500} onBlur={save('address')} onKeyDown={enter} />
      </label>
      <span class="grow" />
      <button type="button" onClick={share}><Icon name="share" />{m().share}</button>
      {done && (
        <a class="button" href={archiveUrl(listing.listing_id)} download title={t().zipHint} onClick={() => say(t().zipHint)}>
          <Icon name="download" />{t().downloadZip}
        </a>
      )}
      <Menu name={t().more}><button type="button" class="danger" onClick={() => void drop()}>{t().deleteListing}</button></Menu>
    </div>
  )
}

function Flight({ id, status }: { id: string; status: string }) {
  useEffect(() => { if (status === 'completed' || status === 'failed') want(id) }, [id, status])
  const output = jobs.value.get(id)?.output
  return (
    <li class="tile flight">
      {output?.video_url ? <video controls preload="none" poster={output.thumbnail_url} src={output.video_url} aria-label={t().kinds.drone_footage} />
        : <span class="picture"><Icon name="photo" /></span>}
      <div class="tile-foot">
        <span class="ellipsis">{t().kinds.drone_footage}</span>
        <span class="quiet small">{status === 'failed' ? (output?.error && errorText(output.error)) || t().failedShort : status === 'completed' ? '' : t().running}</span>
      </div>
    </li>
  )
}
