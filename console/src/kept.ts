// What the browser keeps until it is with the server: photos that are to be uploaded, and requests whose answer has not arrived. A
// page that is closed in the middle goes on where it was.

import type { GenerateRequest } from './api/client'
import { createStore, del, entries, get, set, update } from 'idb-keyval'

export interface KeptPhoto {
  listing: string
  /** The photo's identifier within the listing. */
  id: string
  name: string
  bytes: number
  /** With name and size, what tells two files apart. */
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

export async function forgetAll(): Promise<void> {
  for (const photo of await keptPhotos()) await forgetPhoto(photo.listing, photo.id)
  for (const [listing] of await entries<string, KeptRequest[]>(requests)) await del(listing, requests)
}

export const keepRequest = (listing: string, all: KeptRequest[]): Promise<void> => set(listing, all, requests)
export const keptRequest = (listing: string): Promise<KeptRequest[] | undefined> => get(listing, requests)
export const forgetRequest = (listing: string): Promise<void> => del(listing, requests)
