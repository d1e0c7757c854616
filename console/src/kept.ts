// What the browser keeps until it is with the server: photos that are to be uploaded, requests whose answer has not arrived, and
// boundaries that are drawn. A page that is closed in the middle goes on where it was.

import type { GenerateRequest } from './api/client'
import { clear, createStore, del, entries, get, set, update } from 'idb-keyval'

export interface KeptPhoto {
  listing: string
  /** The photo's identifier within the listing. */
  id: string
  name: string
  bytes: number
  /** When the file was last changed: files of one name and size are the same if this is, too. */
  modified: number
  position: number
  /** Until the server has it. */
  file?: Blob
  /** A small picture, and a larger one to compare with. */
  small?: Blob
  large?: Blob
  /** Where the upload continues. */
  uploadUrl?: string
  /** `aerie:upload/ID`, when it is complete. */
  imageUrl?: string
  /** Whether it has become a photo of its listing, from which others may remove it. */
  joined?: boolean
  /** Why it cannot be uploaded. */
  error?: string
  room: string | null
  empty: boolean
}

export interface KeptRequest {
  key: string
  body: GenerateRequest
}

const photos = createStore('aerie-photos', 'photos')
const requests = createStore('aerie-requests', 'requests')
const drawings = createStore('aerie-drawings', 'drawings')

const keyOf = (listing: string, id: string) => `${listing}/${id}`

export const keepPhoto = (photo: KeptPhoto): Promise<void> => set(keyOf(photo.listing, photo.id), photo, photos)

export async function changePhoto(listing: string, id: string, changes: Partial<KeptPhoto>): Promise<void> {
  await update<KeptPhoto | undefined>(keyOf(listing, id), (old) => (old ? { ...old, ...changes } : old), photos)
}

export const keptPhoto = (listing: string, id: string): Promise<KeptPhoto | undefined> =>
  get(keyOf(listing, id), photos)

export const forgetPhoto = (listing: string, id: string): Promise<void> => del(keyOf(listing, id), photos)

export async function keptPhotos(): Promise<KeptPhoto[]> {
  const all = await entries<string, KeptPhoto | undefined>(photos)
  return all.flatMap(([, photo]) => (photo ? [photo] : [])).sort((a, b) => a.position - b.position)
}

/** A photo that was uploaded for a desk, as the page shows it. */
export interface KeptPicture {
  name: string
  small: Blob
  large: Blob
  /** Of the photo, pixels. */
  width: number
  height: number
  at: number
}

const pictures = createStore('aerie-pictures', 'pictures')
/** As long as the server keeps an upload that nothing uses, milliseconds. */
const PICTURE_KEPT_FOR = 7 * 86_400_000

export async function keepPicture(imageUrl: string, picture: KeptPicture): Promise<void> {
  for (const [old, { at }] of await entries<string, KeptPicture>(pictures)) {
    if (at < Date.now() - PICTURE_KEPT_FOR) await del(old, pictures)
  }
  await set(imageUrl, picture, pictures)
}

export const keptPicture = (imageUrl: string): Promise<KeptPicture | undefined> => get(imageUrl, pictures)

export async function forgetAll(): Promise<void> {
  for (const [imageUrl] of await entries<string, KeptPicture>(pictures)) await del(imageUrl, pictures)
  for (const photo of await keptPhotos()) await forgetPhoto(photo.listing, photo.id)
  for (const [listing] of await entries<string, KeptRequest[]>(requests)) await del(listing, requests)
  await clear(drawings)
}

export const keepRequest = (listing: string, all: KeptRequest[]): Promise<void> => set(listing, all, requests)
export const keptRequest = (listing: string): Promise<KeptRequest[] | undefined> => get(listing, requests)
export const forgetRequest = (listing: string): Promise<void> => del(listing, requests)

/** What is drawn for a job, in whatever form its desk has. */
export const keepDrawing = <T>(job: string, drawing: T): Promise<void> => set(job, drawing, drawings)
export const keptDrawing = <T>(job: string): Promise<T | undefined> => get(job, drawings)
