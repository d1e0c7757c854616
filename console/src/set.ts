// What "make the set" asks for, and requests whose answer is not known yet.

import { Refused, generate } from './api/client'
import type { GenerateRequest, Listing, ListingJob } from './api/client'
import { progress } from './events'
import { forgetRequest, keepRequest, keptRequest } from './kept'
import type { KeptRequest } from './kept'

export interface Choices {
  enhance: boolean
  look: string
  stage: boolean
  style: string
  flight: boolean
  /** Disclosure profile; that of the organization if it is empty. */
  profile: string
}

export const statusOf = (job: ListingJob): string => progress.value.get(job.job_id)?.status ?? job.status
export const isActive = (status: string): boolean => status === 'queued' || status === 'running'

/** Jobs of a photo, newest first. */
export const jobsOf = (listing: Listing, photo: string): ListingJob[] =>
  listing.jobs.filter((job) => job.photo_id === photo)

/** The newest job of each photo and kind: earlier ones are versions that somebody has tried again. */
export function newest(listing: Listing): ListingJob[] {
  const found = new Map<string, ListingJob>()
  for (const job of listing.jobs) {
    const of = `${job.photo_id} ${job.job_type}`
    if (!found.has(of)) found.set(of, job)
  }
  return [...found.values()]
}

const isMade = (listing: Listing, kind: string, photo: string | null) =>
  listing.jobs.some((job) => {
    const status = statusOf(job)
    return job.photo_id === photo && job.job_type === kind && (isActive(status) || status === 'completed')
  })

/** A request whose pictures follow a disclosure profile. */
export function withProfile(body: GenerateRequest, profile: string | undefined): GenerateRequest {
  if (!profile) return body
  const changed = { ...body }
  for (const kind of ['enhance', 'stage'] as const) {
    const asked = changed[kind]
    if (!asked) continue
    const options = asked === true ? {} : asked.options
    changed[kind] = { options: { ...options, disclosure_profile: profile } }
  }
  return changed
}

export interface Plan {
  requests: GenerateRequest[]
  enhanced: number
  staged: number
  flights: number
}

/** What is missing of the set; of selected photos, all of it again. */
export function plan(listing: Listing, choices: Choices, selected: ReadonlySet<string>): Plan {
  const chosen = listing.photos.filter((photo) => selected.size === 0 || selected.has(photo.id ?? ''))
  const lacks = (kind: string, id: string) => selected.size > 0 || !isMade(listing, kind, id)
  const ids = (photos: typeof chosen, kind: string) => photos.map((photo) => photo.id ?? '').filter((id) => lacks(kind, id))
  const canStage = (photo: (typeof chosen)[number]) => photo.empty && photo.room_type && photo.room_type !== 'exterior'
  const enhance = choices.enhance ? ids(chosen, 'image_enhance') : []
  const stage = choices.stage ? ids(chosen.filter(canStage), 'virtual_staging') : []
  const wantsFlight = choices.flight && selected.size === 0 && listing.address && !isMade(listing, 'drone_footage', null)
  const requests: GenerateRequest[] = []
  if (enhance.length > 0) requests.push({ photos: enhance, enhance: { options: { preset: choices.look as 'natural' } } })
  if (stage.length > 0) requests.push({ photos: stage, stage: { options: { style_prompt: choices.style } } })
  if (wantsFlight) requests.push({ flight: true })
  return { requests: requests.map((body) => withProfile(body, choices.profile)), enhanced: enhance.length, staged: stage.length, flights: wantsFlight ? 1 : 0 }
}

/** Submits requests, and keeps each until its answer is known: after a reload, the same request gets the same answer. */
export async function submit(listing: string, requests: GenerateRequest[]): Promise<void> {
  const earlier = (await keptRequest(listing)) ?? []
  const all = [...earlier, ...requests.map((body) => ({ key: crypto.randomUUID(), body }))]
  await keepRequest(listing, all)
  await submitKept(listing)
}

let earlier: Promise<unknown> = Promise.resolve()

/** Submits what is kept and was perhaps not submitted, after earlier calls; whether there was something. */
export function submitKept(listing: string): Promise<boolean> {
  const now = earlier.catch(() => {}).then(() => submitAll(listing))
  earlier = now
  return now
}

async function submitAll(listing: string): Promise<boolean> {
  let left: KeptRequest[] = (await keptRequest(listing)) ?? []
  const hadSome = left.length > 0
  while (left[0]) {
    const { key, body } = left[0]
    try {
      await generate(listing, body, key)
    } catch (error) {
      const isDecided = error instanceof Refused && ![401, 409, 429].includes(error.status) && error.status < 500
      if (isDecided) await keepRequest(listing, left.slice(1))
      throw error
    }
    left = left.slice(1)
    await (left.length > 0 ? keepRequest(listing, left) : forgetRequest(listing))
  }
  if (hadSome) await forgetRequest(listing)
  return hadSome
}
