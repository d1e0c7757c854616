// Requests of the console for operators.

import { API, Refused, proof, sessionOver } from './client'
import type { Key } from './client'

export interface OperatorSession {
  csrf_token: string
  key: { id: string; name: string; hint: string; expires_at: string | null }
  environment: string
  version: string
  base_url: string
}

export interface Organization {
  id: string
  name: string
  plan: string
  plan_is_known: boolean
  disabled: string[]
  monthly_quota: number | null
  jobs_this_month: number
  prices: Record<string, number>
  reject_duplicates: boolean
  keep_days: number | null
  disclosure_profile: string | null
  truth_pages: boolean
  created_at: string
}

export interface OrganizationDetails extends Organization {
  keys: Key[]
  webhooks: { id: string; url: string; events: string[]; disabled_because: string | null; failing_since: string | null }[]
  uploaded_bytes: number
}

/** What is missing stays; `null` removes. */
export type Terms = Partial<Omit<Organization, 'id' | 'name' | 'prices'>> & { prices?: Record<string, number | null> }

export interface MonthUsage {
  from: string
  to: string
  jobs: number
  cents: number
  organizations: {
    organization_id: string
    name: string
    jobs: number
    cents: number
    by_type: { event_type: string; jobs: number; cents: number }[]
  }[]
}

export interface Plans {
  configuration: string | null
  plans: {
    name: string
    requests_per_minute: number
    requests_per_day: number
    queued_jobs: number | null
    failed_per_day: number | null
    previews_per_day: number
    uploads_per_minute: number
    upload_bytes_per_month: number | null
    weight: number
  }[]
  prices: { kind: string; cents: number }[]
  disclosure_profiles: string[]
}

export interface Queue {
  kinds: {
    kind: string
    queued: number
    running: number
    awaiting_input: number
    completed: number
    failed: number
    oldest_queued_at: string | null
    workers: number
  }[]
  lacking: string[]
}

export interface Nodes {
  current_pack: string | null
  nodes: {
    name: string
    role: string
    is_live: boolean
    version: string
    host: string
    kinds: string[]
    started_at: string
    seen_at: string
    pack: string | null
    job_id: string | null
  }[]
}

export interface Failure {
  job_id: string
  organization_id: string
  organization: string
  job_type: string
  code: string
  message: string
  input: unknown
  omitted: string[]
  attempts: number
  request_id: string
  created_at: string
  failed_at: string
}

export interface Failures {
  since: string
  failures: Failure[]
  next_offset: number | null
}

export interface Disk {
  free: number | null
  total: number | null
  refuses_jobs: string | null
  media_in: string
  media: number | null
  uploads: number
  database: number
}

export interface DoctorRun {
  status: 'running' | 'ended' | 'stopped'
  started_at: string
  ok: boolean
  findings: { what: string; ok: boolean; found: string; remedy: string | null }[]
  limit_seconds: number
}

interface Answer<T> {
  data: T
  pagination?: { total: number; has_more: boolean }
}

async function ask<T>(path: string, method = 'GET', body?: unknown): Promise<Answer<T>> {
  const headers: Record<string, string> = method === 'GET' ? {} : { ...proof() }
  if (body) headers['Content-Type'] = 'application/json'
  const response = await fetch(`${API}/${path}`, { method, headers, body: body ? JSON.stringify(body) : undefined })
  const answer = await response.json().catch(() => ({}))
  if (response.status === 401) sessionOver()
  if (!response.ok) throw new Refused(response.status, answer.error)
  return answer
}

const get = async <T>(path: string): Promise<T> => (await ask<T>(path)).data

export async function listOrganizations(search: string, limit: number): Promise<{ data: Organization[]; total: number }> {
  const { data, pagination } = await ask<Organization[]>(`organizations?${new URLSearchParams({ search, limit: String(limit) })}`)
  return { data, total: pagination?.total ?? data.length }
}

export const createOrganization = async (name: string, plan: string): Promise<Organization> =>
  (await ask<Organization>('organizations', 'POST', { name, plan })).data

export const getOrganization = (id: string): Promise<OrganizationDetails> => get(`organizations/${id}`)

export const changeOrganization = async (id: string, terms: Terms): Promise<Organization> =>
  (await ask<Organization>(`organizations/${id}`, 'PATCH', terms)).data

export const createKey = async (id: string, scopes: string[], expiresAt: string): Promise<Key & { key: string }> =>
  (await ask<Key & { key: string }>(`organizations/${id}/keys`, 'POST', { scopes, expires_at: expiresAt || undefined })).data

export const revokeKey = async (id: string, keyId: string): Promise<void> => {
  await ask(`organizations/${id}/keys/${keyId}`, 'DELETE')
}

export const getMonth = (month: string): Promise<MonthUsage> => get(`usage?month=${month}`)
export const getPlans = (): Promise<Plans> => get('plans')
export const getQueue = (): Promise<Queue> => get('queue')
export const getNodes = (): Promise<Nodes> => get('nodes')
export const getDisk = (): Promise<Disk> => get('disk')
export const getDoctor = (): Promise<DoctorRun | null> => get('doctor')
export const runDoctor = async (): Promise<DoctorRun> => (await ask<DoctorRun>('doctor', 'POST')).data

export function listFailures(of: { organization?: string; kind?: string; limit?: number; offset?: number }): Promise<Failures> {
  const given = Object.entries(of).filter(([, value]) => value !== undefined && value !== '')
  return get(`failures?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`)
}
