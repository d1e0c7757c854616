// Uploads of photos: in parallel, by the tus protocol, each continued where it was. One tab at a time uploads.

import { signal } from '@preact/signals'
import { Upload } from 'tus-js-client'
import type { DetailedError } from 'tus-js-client'
import { Refused, changeListing, getListing, sessionOver } from './api/client'
import type { ListingPhoto } from './api/client'
import { changePhoto, forgetPhoto, keepPhoto, keptPhoto, keptPhotos } from './kept'
import type { KeptPhoto } from './kept'
import { guess } from './rooms'
import { thumbnails } from './thumbnails'
import { imageUrlOf, responseOf, tus } from './upload-one'

/** Browsers have six connections to a server: the events and the page need some, too. */
const AT_ONCE = 3
const MOST_PHOTOS = 100
/** How long small pictures of uploaded photos are kept, milliseconds. */
const KEPT_FOR = 30 * 86_400_000
const READABLE = /\.(jpe?g|png|webp|tiff?|hei[cf]|hif|avif|dng|nef)$/i

export interface Sending extends Omit<KeptPhoto, 'file' | 'small' | 'large'> {
  /** Addresses of the kept pictures in this page. */
  small?: string
  large?: string
  /** Share of the bytes that the server has. */
  sent: number
  state: 'waiting' | 'sending' | 'uploaded' | 'failed'
}

/** The photos that this browser has added, by identifier. */
export const sending = signal<ReadonlyMap<string, Sending>>(new Map())
/** Whether another tab uploads. */
export const elsewhere = signal(false)

const running = new Map<string, Upload>()
let mayUpload = false
let isStopped = true

export function change(id: string, changes: Partial<Sending>): void {
  const old = sending.value.get(id)
  if (!old) return
  sending.value = new Map(sending.value).set(id, { ...old, ...changes })
}

function shown(photo: KeptPhoto): Sending {
  const { file, small, large, ...rest } = photo
  const state = photo.imageUrl ? 'uploaded' : photo.error ? 'failed' : 'waiting'
  return {
    ...rest,
    small: small && URL.createObjectURL(small),
    large: large && URL.createObjectURL(large),
    sent: photo.imageUrl ? 1 : 0,
    state,
  }
}

/** Reads what earlier pages have left, and goes on with it. */
export async function resume(): Promise<void> {
  isStopped = false
  const all = await keptPhotos()
  const isOld = (photo: KeptPhoto) => photo.joined && photo.position < Date.now() - KEPT_FOR
  for (const photo of all.filter(isOld)) await forgetPhoto(photo.listing, photo.id)
  const kept = all.filter((photo) => !isOld(photo))
  sending.value = new Map(kept.map((photo) => [photo.id, sending.value.get(photo.id) ?? shown(photo)]))
  undrawn.push(...kept.filter((photo) => photo.file && !photo.small))
  if (undrawn.length > 0 && !isDrawing) void draw()
  // Uploaded before the page was closed, but perhaps not yet a photo of its listing.
  for (const listing of new Set(kept.filter((photo) => photo.imageUrl && !photo.joined).map((photo) => photo.listing))) noteInListing(listing)
  if (!mayUpload) await becomeUploader()
  pump()
}

/** Stops when the user signs out. */
export function stop(): void {
  isStopped = true
  for (const upload of running.values()) void upload.abort()
  running.clear()
  sending.value = new Map()
}

async function becomeUploader(): Promise<void> {
  if (!navigator.locks) {
    mayUpload = true
    return
  }
  await new Promise<void>((decided) => {
    const hold = () => new Promise<never>(() => {})
    void navigator.locks.request('aerie-uploads', { ifAvailable: true }, (lock) => {
      mayUpload = lock !== null
      elsewhere.value = lock === null
      decided()
      return lock ? hold() : undefined
    })
  })
  if (mayUpload) return
  // Until the other tab is closed.
  void navigator.locks.request('aerie-uploads', async () => {
    mayUpload = true
    elsewhere.value = false
    await resume()
    await new Promise<never>(() => {})
  })
}

export interface Added {
  unreadable: string[]
  repeated: number
  tooMany: boolean
}

/** Adds files to a listing, in the order of their names. */
export async function add(listing: string, files: File[], already: number): Promise<Added> {
  const byName = new Intl.Collator(undefined, { numeric: true })
  const sorted = [...files].filter((file) => !file.name.startsWith('.')).sort((a, b) => byName.compare(a.name, b.name))
  const unreadable = sorted.filter((file) => !READABLE.test(file.name)).map((file) => file.name)
  const own = [...sending.value.values()].filter((photo) => photo.listing === listing)
  const same = (file: File) => (photo: Sending) =>
    photo.name === file.name && photo.bytes === file.size && photo.modified === file.lastModified
  const readable = sorted.filter((file) => READABLE.test(file.name))
  const fresh = readable.filter((file) => !own.some(same(file)))
  const room = Math.max(0, MOST_PHOTOS - already)
  let position = own.reduce((most, photo) => Math.max(most, photo.position), Date.now())
  for (const file of fresh.slice(0, room)) {
    position += 1
    const photo: KeptPhoto = {
      listing,
      id: crypto.randomUUID(),
      name: file.name,
      bytes: file.size,
      modified: file.lastModified,
      position,
      file,
      ...guess(file.name),
    }
    await keepPhoto(photo)
    sending.value = new Map(sending.value).set(photo.id, shown(photo))
    undrawn.push(photo)
    pump()
  }
  if (undrawn.length > 0 && !isDrawing) void draw()
  return { unreadable, repeated: readable.length - fresh.length, tooMany: fresh.length > room }
}

const undrawn: KeptPhoto[] = []
let isDrawing = false

/** Makes small pictures of photos, one after the other, so that the page stays responsive. */
async function draw(): Promise<void> {
  isDrawing = true
  for (let photo = undrawn.shift(); photo; photo = undrawn.shift()) {
    const { listing, id, file } = photo
    if (!file || !sending.value.has(id)) continue
    // A file that the browser cannot show may be a photo nevertheless: the server decides.
    const pictures = await thumbnails(file).catch(() => undefined)
    if (!pictures) continue
    await changePhoto(listing, id, pictures)
    change(id, { small: URL.createObjectURL(pictures.small), large: URL.createObjectURL(pictures.large) })
  }
  isDrawing = false
}

/** Begins uploads while fewer than [`AT_ONCE`] run. */
function pump(): void {
  if (!mayUpload || isStopped) return
  for (const photo of sending.value.values()) {
    if (running.size >= AT_ONCE) return
    if (photo.state === 'waiting' && !running.has(photo.id)) begin(photo)
  }
}

function begin(photo: Sending): void {
  const { listing, id } = photo
  // A place, so that no other call begins it, too.
  running.set(id, undefined as unknown as Upload)
  void (async () => {
    const kept = await keptPhoto(listing, id)
    if (!kept?.file) {
      running.delete(id)
      change(id, { state: 'failed', error: 'gone' })
      return
    }
    const upload = new Upload(kept.file, {
      ...tus(photo.name),
      uploadUrl: kept.uploadUrl ?? null,
      onUploadUrlAvailable() {
        if (upload.url) void changePhoto(listing, id, { uploadUrl: upload.url })
      },
      onProgress: (sent, total) => change(id, { sent: total ? sent / total : 0 }),
      onSuccess: () => void complete(listing, id, upload.url ?? ''),
      onError: (error) => void fail(listing, id, error),
    })
    running.set(id, upload)
    change(id, { state: 'sending' })
    upload.start()
  })()
}

async function complete(listing: string, id: string, url: string): Promise<void> {
  const imageUrl = imageUrlOf(url)
  await changePhoto(listing, id, { imageUrl, file: undefined, uploadUrl: undefined })
  running.delete(id)
  change(id, { state: 'uploaded', sent: 1, imageUrl })
  noteInListing(listing)
  pump()
}

async function fail(listing: string, id: string, error: Error | DetailedError): Promise<void> {
  running.delete(id)
  const { status, why = error.message } = responseOf(error)
  if (status >= 400 && status < 500 && status !== 401 && status !== 429) {
    await changePhoto(listing, id, { error: why, uploadUrl: undefined })
    change(id, { state: 'failed', error: why })
  } else {
    // Of the connection or the session: later it goes on where it was.
    change(id, { state: 'waiting' })
    if (status === 401) sessionOver()
    else setTimeout(pump, 15_000)
    return
  }
  pump()
}

/** Uploads a photo again that had failed. */
export async function uploadAgain(id: string): Promise<void> {
  const photo = sending.value.get(id)
  if (!photo) return
  await changePhoto(photo.listing, id, { error: undefined })
  change(id, { state: 'waiting', error: undefined, sent: 0 })
  pump()
}

/** Removes a photo that this browser has added. */
export async function removeSent(id: string): Promise<void> {
  const photo = sending.value.get(id)
  if (!photo) return
  void running.get(id)?.abort(true).catch(() => {})
  running.delete(id)
  await forgetPhoto(photo.listing, id)
  const left = new Map(sending.value)
  left.delete(id)
  sending.value = left
  pump()
}

/** Room type and emptiness of a photo that is not yet in its listing. */
export async function label(id: string, labels: { room?: string | null; empty?: boolean }): Promise<void> {
  const photo = sending.value.get(id)
  if (!photo) return
  change(id, labels)
  await changePhoto(photo.listing, id, labels)
}

const changing = new Map<string, Promise<void>>()
const due = new Map<string, number>()
/** Called with a listing that now has other photos. */
let whenNoted: (listing: string) => void = () => {}

export function onNoted(then: (listing: string) => void): void {
  whenNoted = then
}

/** Makes uploaded photos those of the listing: soon, so that several that arrive together cost one request. */
function noteInListing(listing: string): void {
  clearTimeout(due.get(listing))
  due.set(listing, window.setTimeout(() => void changePhotos(listing, (photos) => photos).catch((error) => notNoted(listing, error)), 400))
}

async function notNoted(listing: string, error: unknown): Promise<void> {
  const isDecided = error instanceof Refused && error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status)
  if (!isDecided) {
    due.set(listing, window.setTimeout(() => noteInListing(listing), 10_000))
    return
  }
  for (const photo of [...sending.value.values()].filter((photo) => photo.listing === listing && !photo.joined)) {
    // The listing is gone, or takes no more.
    if (error.status === 404) await removeSent(photo.id)
    else if (photo.imageUrl) change(photo.id, { state: 'failed', error: error.message })
  }
}

/** The title of a photo from the name of its file. */
export const titleOf = (name: string): string => name.replace(/\.[^.]+$/, '').slice(0, 200)

const fieldsOf = (photo: Sending): ListingPhoto => ({
  id: photo.id,
  image_url: photo.imageUrl ?? '',
  title: titleOf(photo.name),
  ...(photo.room ? { room_type: photo.room } : {}),
  ...(photo.empty ? { empty: true } : {}),
})

/**
 * Changes the photos of a listing as they are on the server, after earlier changes of this page. Photos that were uploaded meanwhile join
 * them, once each.
 */
export function changePhotos(listing: string, how: (photos: ListingPhoto[]) => ListingPhoto[]): Promise<void> {
  const earlier = changing.get(listing) ?? Promise.resolve()
  const now = earlier.catch(() => {}).then(async () => {
    const before = (await getListing(listing)).photos
    const has = new Set(before.map((photo) => photo.id))
    const ready = [...sending.value.values()].filter((photo) => photo.listing === listing && photo.imageUrl)
    const joining = ready.filter((photo) => !photo.joined && !has.has(photo.id))
    const position = (photo: ListingPhoto) => sending.value.get(photo.id ?? '')?.position ?? 0
    const joined = [...before, ...joining.map(fieldsOf)]
    if (joining.length > 0) joined.sort((a, b) => position(a) - position(b))
    const after = how(joined)
    if (JSON.stringify(after) !== JSON.stringify(before)) await changeListing(listing, { photos: after })
    for (const photo of ready) {
      if (photo.joined) continue
      await changePhoto(listing, photo.id, { joined: true })
      change(photo.id, { joined: true })
    }
    whenNoted(listing)
  })
  changing.set(listing, now)
  return now
}
