// Requests of the console: those of the public API, with the session in place of a key.

import createClient from 'openapi-fetch'
import { errorText } from '../messages/reasons'
import type { components, paths } from './schema'

export type Listing = components['schemas']['Listing']
export type ListingSummary = components['schemas']['ListingSummary']
export type ListingPhoto = components['schemas']['ListingPhoto']
export type ListingJob = components['schemas']['ListingJob']
export type GenerateRequest = components['schemas']['ListingGenerateRequest']
export type Generated = components['schemas']['ListingGenerated']
export type Usage = components['schemas']['Usage']

export interface Session {
  csrf_token: string
  organization: {
    id: string
    name: string
    plan: string
    disabled: string[]
    monthly_quota: number | null
    quota_used: number
    uploaded_bytes: number
  }
  key: Key
  limits: {
    requests_per_minute: number
    requests_per_day: number
    uploads_per_minute: number
    upload_bytes_per_month: number | null
  }
  version: string
}

export interface Key {
  id: string
  hint: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  is_current: boolean
}

export interface Change {
  name: string
  amount: number
  unit: string
  material: boolean
}

// What jobs of photos return; `schema.ts` leaves it open, because it depends on the kind.
export interface Output {
  image_url?: string
  thumbnail_url?: string
  original_url?: string
  mask_url?: string
  video_url?: string
  adjustments?: {
    changes?: Change[]
    refused?: { request: string; reason: string }[]
    not_understood?: string[]
    stepped_back?: string[]
  }
  furniture?: { piece: string }[]
  doubts?: string[]
  disclosure?: { text?: string }
  error?: { code: string; message: string }
}

export interface Job {
  id: string
  job_type: string
  status: string
  input: { options?: { prompt?: string; style_prompt?: string; preset?: string; disclosure_profile?: string } }
  output: Output
  created_at: string
}

/** A request that was refused, in the words of the service. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly details: { photo_id?: string; field: string; message: string }[]

  constructor(status: number, error?: { code?: string; message?: string; details?: Refused['details'] }) {
    super(errorText(error ?? {}) || `HTTP ${status}`)
    this.status = status
    this.code = error?.code ?? ''
    this.details = error?.details ?? []
  }
}

export const API = new URL('api', new URL('.', location.href)).href
const SESSION = `${API}/session`

let csrf = ''
let whenOver: () => void = () => {}

/** The header that proves that a request comes from this page. */
export function proof(): Record<string, string> {
  return { 'X-CSRF-Token': csrf }
}

/** Calls `then` when the session turns out to be over. */
export function onSessionOver(then: () => void): void {
  whenOver = then
}

/** Says that the server knows of no session. */
export function sessionOver(): void {
  whenOver()
}

export const client = createClient<paths>({ baseUrl: API, credentials: 'same-origin' })
client.use({
  onRequest({ request }) {
    if (request.method !== 'GET') request.headers.set('X-CSRF-Token', csrf)
    return request
  },
  onResponse({ response }) {
    if (response.status === 401) whenOver()
  },
})

/** The path under which this server is reached: `/`, or that of a proxy. */
const ROOT = new URL('..', location.href).pathname

/** Links to media lead through this server, whatever name it has for itself. */
export function local<T>(value: T): T {
  if (typeof value === 'string') {
    const at = value.search(/\/media\/[0-9a-f-]+\//)
    return (/^https?:\/\//.test(value) && at > 0 ? ROOT + value.slice(at + 1) : value) as T
  }
  if (Array.isArray(value)) return value.map(local) as T
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, local(inner)])) as T
  }
  return value
}

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

export async function unwrap<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (!response.ok) throw new Refused(response.status, (error as { error?: { code: string } } | undefined)?.error)
  return data as T
}

async function session<S = Session>(method: string, body?: unknown): Promise<S | null> {
  const headers: Record<string, string> = method === 'GET' ? {} : { ...proof() }
  if (body) headers['Content-Type'] = 'application/json'
  const response = await fetch(SESSION, { method, headers, body: body ? JSON.stringify(body) : undefined })
  if (response.status === 204 || (method === 'GET' && response.status === 401)) return null
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Refused(response.status, answer.error)
  csrf = answer.data.csrf_token
  return answer.data
}

export const getSession = <S = Session>(): Promise<S | null> => session<S>('GET')
export const signIn = <S = Session>(key: string): Promise<S | null> => session<S>('POST', { key })
export const signOut = (): Promise<Session | null> => session('DELETE')

export async function listKeys(): Promise<Key[]> {
  const response = await fetch(`${API}/keys`)
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Refused(response.status, answer.error)
  return answer.data
}

export async function listListings(offset: number): Promise<{ data: ListingSummary[]; total: number }> {
  const query = { limit: 48, offset }
  const page = await unwrap(client.GET('/v1/listings', { params: { query } }))
  return { data: page.data, total: page.pagination.total }
}

const at = (listingId: string) => ({ path: { listingId } })

export async function createListing(body: components['schemas']['ListingRequest']): Promise<Listing> {
  return (await unwrap(client.POST('/v1/listings', { body }))).data
}

export async function getListing(id: string): Promise<Listing> {
  return (await unwrap(client.GET('/v1/listings/{listingId}', { params: at(id) }))).data
}

export async function changeListing(id: string, body: components['schemas']['ListingRequest']): Promise<Listing> {
  return (await unwrap(client.PATCH('/v1/listings/{listingId}', { params: at(id), body }))).data
}

export async function deleteListing(id: string): Promise<void> {
  await unwrap(client.DELETE('/v1/listings/{listingId}', { params: at(id) }))
}

export async function generate(id: string, body: GenerateRequest, key: string): Promise<Generated> {
  const params = { ...at(id), header: { 'Idempotency-Key': key } }
  return (await unwrap(client.POST('/v1/listings/{listingId}/generate', { params, body }))).data
}

export async function price(id: string, body: GenerateRequest): Promise<Generated> {
  const params = { ...at(id), query: { dry_run: true } }
  return (await unwrap(client.POST('/v1/listings/{listingId}/generate', { params, body }))).data
}

export async function getJob(jobId: string): Promise<Job> {
  const answer = await unwrap(client.GET('/v1/jobs/{jobId}', { params: { path: { jobId } } }))
  return local(answer.data) as unknown as Job
}

/** Submits a job by the path of its kind, with a body in JSON; gives its identifier. */
export async function submitJob(path: string, body: string, idempotencyKey: string): Promise<string> {
  const headers = { ...proof(), 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }
  const response = await fetch(`${API}${path}`, { method: 'POST', headers, body })
  const answer = await response.json().catch(() => ({}))
  if (response.status === 401) whenOver()
  if (!response.ok) throw new Refused(response.status, answer.error)
  return answer.data.job_id
}

export async function cancelJob(jobId: string): Promise<void> {
  await unwrap(client.POST('/v1/jobs/{jobId}/cancel', { params: { path: { jobId } } }))
}

export async function getUsage(from: string, to: string): Promise<Usage> {
  return (await unwrap(client.GET('/v1/usage', { params: { query: { from, to } } }))).data
}

export const archiveUrl = (listingId: string): string => `${API}/v1/listings/${listingId}/archive`
