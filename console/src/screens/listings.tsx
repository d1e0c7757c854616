// All listings, and a place to drop the photos of a new one.

import { signal } from '@preact/signals'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Refused, createListing, getListing, listListings } from '../api/client'
import type { ListingSummary } from '../api/client'
import { jobs, want } from '../events'
import { day, t } from '../messages'
import { say, sayError } from '../notices'
import { Curl } from '../parts/curl'
import { ChooseFiles, DropZone } from '../parts/drop'
import type { Chosen } from '../parts/drop'
import { Icon } from '../parts/icon'
import { go } from '../route'
import { add, sending } from '../uploads'
import type { Added } from '../uploads'

const CURL = `curl -s "$BASE/v1/listings" -H "X-API-Key: $KEY"

curl -s "$BASE/v1/listings" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"reference": "RX-4711", "address": "12 Larkspur Lane, 10001 Featherstone Vale"}'`

/** The newest completed picture of listings whose photos are not in this browser, or `null`. */
const covers = signal<ReadonlyMap<string, string | null>>(new Map())

/** Says what was not added, and why. */
export function sayAdded({ unreadable, repeated, tooMany }: Added): void {
  const parts = []
  if (unreadable.length > 0) parts.push(t().notAPhoto(unreadable.slice(0, 4).join(', ') + (unreadable.length > 4 ? '…' : '')))
  if (repeated > 0) parts.push(t().alreadyThere(repeated))
  if (tooMany) parts.push(t().tooMany)
  if (parts.length > 0) say(parts.join(' '), unreadable.length > 0 || tooMany)
}

async function begin({ files, folder }: Chosen): Promise<void> {
  try {
    const reference = folder?.slice(0, 128)
    const listing = await createListing(reference ? { reference } : {}).catch((error) => {
      // Another listing has this reference.
      if (error instanceof Refused && error.status === 409) return createListing({})
      throw error
    })
    go(`/listings/${listing.listing_id}`)
    sayAdded(await add(listing.listing_id, files, 0))
  } catch (error) {
    sayError(error)
  }
}

export function ListingsScreen() {
  const [found, setFound] = useState<ListingSummary[] | null>(null)
  const [total, setTotal] = useState(0)
  const load = useCallback(async (offset: number) => {
    try {
      const page = await listListings(offset)
      setFound((before) => [...(offset > 0 ? before ?? [] : []), ...page.data])
      setTotal(page.total)
    } catch (error) {
      sayError(error)
    }
  }, [])
  useEffect(() => void load(0), [load])
  const take = useCallback((chosen: Chosen) => void begin(chosen), [])
  const isEmpty = found?.length === 0
  return (
    <DropZone take={take}>
      <div class="page">
        <div class="heading">
          <h1>{t().listings}</h1>
          {found && !isEmpty && <span class="quiet">{total}</span>}
        </div>
        <section class={isEmpty ? 'drop big' : 'drop'} aria-label={t().newListing}>
          <Icon name="folder" />
          <div>
            <h2>{t().dropTitle}</h2>
            <p class="quiet">{t().dropHint}</p>
          </div>
          <ChooseFiles take={take} />
        </section>
        {isEmpty && (
          <section class="teach" aria-label={t().noListings}>
            <h2>{t().noListings}</h2>
            <p class="quiet">{t().noListingsHint}</p>
            <ol class="steps">
              {t().steps.map(([title, text], at) => (
                <li key={title}><span class="number" aria-hidden="true">{at + 1}</span><h3>{title}</h3><p class="quiet">{text}</p></li>
              ))}
            </ol>
          </section>
        )}
        {!found && <p class="quiet">{t().loading}</p>}
        <ul class="cards">
          {found?.map((listing) => <Card key={listing.listing_id} listing={listing} />)}
        </ul>
        {found && found.length < total && (
          <button type="button" onClick={() => void load(found.length)}>{t().older}</button>
        )}
        <Curl commands={CURL} />
      </div>
    </DropZone>
  )
}

function Card({ listing }: { listing: ListingSummary }) {
  const id = listing.listing_id
  const own = [...sending.value.values()].filter((photo) => photo.listing === id)
  const busy = own.filter((photo) => photo.state === 'sending' || photo.state === 'waiting').length
  const here = own.find((photo) => photo.small)?.small
  useEffect(() => {
    if (here || covers.value.has(id) || listing.photo_count === 0) return
    covers.value = new Map(covers.value).set(id, null)
    void getListing(id).then((whole) => {
      const done = whole.jobs.find((job) => job.status === 'completed' && job.photo_id)
      if (!done) return
      covers.value = new Map(covers.value).set(id, done.job_id)
      want(done.job_id)
    }, () => {})
  }, [id, here])
  const cover = here ?? jobs.value.get(covers.value.get(id) ?? '')?.output.thumbnail_url
  return (
    <li>
      <a class="listing-card" href={`#/listings/${id}`}>
        <span class="cover">{cover ? <img src={cover} alt="" loading="lazy" /> : <Icon name="photo" />}</span>
        <span class="name ellipsis">{listing.reference ?? listing.address ?? t().untitled}</span>
        {listing.reference && listing.address && <span class="quiet small ellipsis">{listing.address}</span>}
        <span class="quiet small">
          {busy > 0 ? t().uploading(own.length - busy, own.length) : t().photos(listing.photo_count)} · {day(listing.created_at)}
        </span>
      </a>
    </li>
  )
}
