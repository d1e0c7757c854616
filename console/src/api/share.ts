// Requests for sharing: links, what their viewers say, truth pages, and disclosure profiles.

import { Refused, client, unwrap } from './client'
import type { components } from './schema'

export type ShareLink = components['schemas']['ShareLink']
export type NewShareLink = components['schemas']['ShareLinkWithToken']
export type ShareLinkRequest = components['schemas']['ShareLinkRequest']
export type Review = components['schemas']['Review']
export type TruthPage = components['schemas']['TruthPage']
export type TruthPageRequest = components['schemas']['TruthPageRequest']
export type DisclosureProfile = components['schemas']['DisclosureProfile']

const at = (listingId: string) => ({ path: { listingId } })
const ofJob = (jobId: string) => ({ path: { jobId } })

export async function listShareLinks(listingId: string): Promise<ShareLink[]> {
  return (await unwrap(client.GET('/v1/listings/{listingId}/share-links', { params: at(listingId) }))).data
}

export async function createShareLink(listingId: string, body: ShareLinkRequest): Promise<NewShareLink> {
  return (await unwrap(client.POST('/v1/listings/{listingId}/share-links', { params: at(listingId), body }))).data
}

export async function revokeShareLink(listingId: string, shareLinkId: string): Promise<void> {
  const params = { path: { listingId, shareLinkId } }
  await unwrap(client.DELETE('/v1/listings/{listingId}/share-links/{shareLinkId}', { params }))
}

const PAGE = 100
/** As many as the page of a listing shows; the API has the rest. */
const MOST_REVIEWS = 1000

/** What viewers said, newest first. */
export async function listReviews(listingId: string): Promise<Review[]> {
  const found: Review[] = []
  for (let total = 1; found.length < Math.min(total, MOST_REVIEWS);) {
    const query = { limit: PAGE, offset: found.length }
    const page = await unwrap(client.GET('/v1/listings/{listingId}/reviews', { params: { ...at(listingId), query } }))
    found.push(...page.data)
    total = page.data.length > 0 ? page.pagination.total : 0
  }
  return found
}

/** The truth page of a job, if it has one. */
export async function getTruthPage(jobId: string): Promise<TruthPage | null> {
  try {
    return (await unwrap(client.GET('/v1/jobs/{jobId}/truth-page', { params: ofJob(jobId) }))).data
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null
    throw error
  }
}

export async function publishTruthPage(jobId: string, body: TruthPageRequest): Promise<TruthPage> {
  return (await unwrap(client.POST('/v1/jobs/{jobId}/truth-page', { params: ofJob(jobId), body }))).data
}

export async function revokeTruthPage(jobId: string): Promise<TruthPage> {
  return (await unwrap(client.DELETE('/v1/jobs/{jobId}/truth-page', { params: ofJob(jobId) }))).data
}

let profiles: Promise<DisclosureProfile[]> | undefined

/** The disclosure profiles, asked for once. */
export function listProfiles(): Promise<DisclosureProfile[]> {
  profiles ??= unwrap(client.GET('/v1/disclosure-profiles')).then((page) => page.data)
  profiles.catch(() => { profiles = undefined })
  return profiles
}
