// The photo that a desk works on: uploaded, or one of a listing.

import { useEffect, useState } from 'preact/hooks'
import { Refused, getListing, listListings } from '../api/client'
import type { Listing, ListingPhoto, ListingSummary, Session } from '../api/client'
import { jobs, want } from '../events'
import { keepPicture } from '../kept'
import { t } from '../messages'
import { choice } from '../messages/photo-choice'
import { sayError } from '../notices'
import { guess } from '../rooms'
import { jobsOf, statusOf } from '../set'
import { thumbnails } from '../thumbnails'
import { uploadOne } from '../upload-one'
import { sending, titleOf } from '../uploads'
import { DropZone } from './drop'
import { Icon } from './icon'
import './photo-choice.css'

export interface ChosenPhoto {
  imageUrl: string
  name: string
  room: string | null
}

/** Why a session cannot make a kind of media; nothing if it can. */
export function whyNot(session: Session, kind: string): string | undefined {
  if (!session.key.scopes.includes('generate')) return choice().noScope
  return session.organization.disabled.includes(kind) ? choice().disabled : undefined
}

const chosenFrom = (photo: ListingPhoto): ChosenPhoto => ({
  imageUrl: photo.image_url,
  name: photo.title || photo.id || '',
  room: photo.room_type ?? null,
})

/** Uploads a photo, and keeps its picture for the page. */
async function upload(file: File, onSent: (share: number) => void): Promise<ChosenPhoto> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  const pictures = bitmap && (await thumbnails(file))
  const imageUrl = await uploadOne(file, onSent)
  if (bitmap && pictures) await keepPicture(imageUrl, { name: file.name, ...pictures, width: bitmap.width, height: bitmap.height, at: Date.now() })
  bitmap?.close()
  return { imageUrl, name: titleOf(file.name), room: guess(file.name).room }
}

const READABLE = /\.(jpe?g|png|webp|tiff?|hei[cf]|hif|avif|dng|nef)$/i

interface ChoiceParts {
  /** Listing and photo that the address names. */
  listing?: string
  photo?: string
  choose: (photo: ChosenPhoto) => void
}

export function PhotoChoice({ listing, photo, choose }: ChoiceParts) {
  const [sent, setSent] = useState<number | null>(null)
  const [problem, setProblem] = useState('')
  const [listings, setListings] = useState<ListingSummary[]>([])
  const [open, setOpen] = useState<Listing | null>(null)

  const openListing = (id: string) => getListing(id).then((found) => { setOpen(found); return found })
  useEffect(() => {
    listListings(0).then(({ data }) => setListings(data), sayError)
    if (!listing) return
    openListing(listing).then((found) => {
      const named = found.photos.find(({ id }) => id === photo)
      if (named) choose(chosenFrom(named))
    }, sayError)
  }, [listing, photo])

  const take = (file: File | undefined) => {
    if (!file || sent !== null) return
    setProblem('')
    if (!READABLE.test(file.name)) return setProblem(choice().notAPhoto(file.name))
    setSent(0)
    upload(file, setSent).then(choose, (error) => {
      setProblem(error instanceof Refused ? choice().refused(error.message) : choice().broken)
    }).finally(() => setSent(null))
  }

  return (
    <DropZone take={({ files }) => take(files[0])}>
      <div class="photo-choice">
        <label class="drop photo-drop">
          <Icon name="photo" />
          <div><strong>{choice().upload}</strong><p class="quiet small">{choice().dropHint}</p></div>
          <input
            type="file" accept="image/*,.heic,.heif,.hif,.avif,.dng,.nef" class="hidden" data-testid="photo" disabled={sent !== null}
            onChange={(event) => { take(event.currentTarget.files?.[0]); event.currentTarget.value = '' }}
          />
        </label>
        {sent !== null && <p class="small" role="status">{choice().sending(Math.round(sent * 100))}<progress max="1" value={sent} aria-label={choice().upload} /></p>}
        {problem && <p class="error" role="alert">{problem}</p>}
        {listings.length > 0 && (
          <label class="field"><span>{choice().fromListing}</span>
            <select value={open?.listing_id ?? ''} onChange={(event) => { if (event.currentTarget.value) openListing(event.currentTarget.value).catch(sayError) }}>
              <option value="">{choice().chooseListing}</option>
              {listings.map((one) => <option key={one.listing_id} value={one.listing_id}>{one.reference ?? one.address ?? t().untitled}</option>)}
            </select>
          </label>
        )}
        {open && (open.photos.length === 0 ? <p class="quiet small">{choice().noPhotos}</p> : (
          <ul class="photo-grid">
            {open.photos.map((one) => <PhotoButton key={one.id} photo={one} listing={open} choose={() => choose(chosenFrom(one))} />)}
          </ul>
        ))}
      </div>
    </DropZone>
  )
}

function PhotoButton({ photo, listing, choose }: { photo: ListingPhoto; listing: Listing; choose: () => void }) {
  const done = jobsOf(listing, photo.id ?? '').find((job) => statusOf(job) === 'completed')
  useEffect(() => { if (done) want(done.job_id) }, [done?.job_id])
  const picture = sending.value.get(photo.id ?? '')?.small ?? (done && jobs.value.get(done.job_id)?.output.thumbnail_url)
  const name = photo.title || photo.id || ''
  return (
    <li>
      <button type="button" aria-label={name} onClick={choose}>
        {picture ? <img src={picture} alt="" loading="lazy" /> : <Icon name="photo" />}
        <span class="small ellipsis">{name}</span>
      </button>
    </li>
  )
}
