// Requests of the desks that begin with an address.

import { API, Refused, client, local, proof, unwrap } from './client'
import type { Job, Output } from './client'
import type { components } from './schema'

export type Suggestions = components['schemas']['AddressSuggestions']
export type Suggested = components['schemas']['SuggestedAddress']
export type Point = [number, number]

/** Where a picture from above lies: `KEY.ground.json` of the command line has the same form. */
export interface Ground {
  width: number
  height: number
  origin: { lat: number; lon: number }
  /** `east = p[0] x + p[1] y + p[2]`, `north = p[3] x + p[4] y + p[5]` in meters, of pixels. */
  to_local: [number, number, number, number, number, number]
}

export interface Variant {
  key: string
  preview_url: string
  enhanced_url: string
  ground?: Ground
}

export interface Boundary {
  geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: Point[][] | Point[][][] }
  properties: { area_m2?: number; perimeter_m?: number; edge_lengths_m?: number[][]; confidence?: number }
}

/** A job that begins with an address; `schema.ts` leaves open what it returns, because it depends on the kind. */
export interface AddressJob extends Omit<Job, 'input' | 'output'> {
  input: {
    address?: string
    markup_job_id?: string
    preview?: boolean
    options?: { [option: string]: string | number | boolean }
  }
  output: Output & {
    orientation_variants?: Variant[]
    suggested_boundary?: Boundary
    selected_orientation?: string
    annotated_image_url?: string
    boundary?: Boundary | null
    boundary_message?: string
    boundary_shown?: boolean
    previews?: { direction: string; image_url: string }[]
    duration?: number
    warnings?: string[]
    credentials?: { signed_by: string; embedded: string[]; without: { field: string; reason: string }[] }
    media_expired_at?: string
  }
}

/** Addresses that begin with what is typed. */
export async function suggestAddresses(typed: string, signal: AbortSignal): Promise<Suggestions> {
  const query = { q: typed, limit: 8, plan: true }
  return (await unwrap(client.GET('/v1/addresses', { params: { query }, signal }))).data
}

/** The newest jobs of a kind. */
export async function listJobs(kind: string, limit: number): Promise<AddressJob[]> {
  const query = { job_type: kind, limit }
  const page = await unwrap(client.GET('/v1/jobs', { params: { query } }))
  return local(page.data) as unknown as AddressJob[]
}

export async function selectOrientation(jobId: string, orientation: string): Promise<void> {
  const params = { path: { jobId } }
  await unwrap(client.POST('/v1/markup/jobs/{jobId}/select', { params, body: { orientation } }))
}

/** Submits a drawn boundary: as a picture, which the contract asks for, and as corners in pixels of the clean picture, which are exact. */
export async function annotate(jobId: string, picture: Blob, corners: readonly Point[]): Promise<void> {
  const params = { path: { jobId } }
  // The link as the server writes it, so that it knows its own picture.
  const { data } = await unwrap(client.GET('/v1/markup/jobs/{jobId}', { params }))
  const body = {
    annotated_image_url: await uploadPicture(picture),
    clean_image_url: (data.output as { selected_url?: string }).selected_url ?? '',
    annotated_polygon: corners.map(([x, y]) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100]),
  }
  await unwrap(client.POST('/v1/markup/jobs/{jobId}/annotate', { params, body }))
}

/** Uploads a picture of the page in one request; gives its address. */
async function uploadPicture(picture: Blob): Promise<string> {
  const headers = { ...proof(), 'Content-Type': picture.type }
  const response = await fetch(`${API}/v1/uploads?filename=boundary.jpg`, { method: 'POST', headers, body: picture })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Refused(response.status, answer.error)
  return answer.data.image_url
}
