// Events of jobs, as they happen.

import { signal } from '@preact/signals'
import { API, getJob, getSession, sessionOver } from './api/client'
import type { Job } from './api/client'

export interface Progress {
  status: string
  stage?: string
  percent?: number
}

/** What is known of jobs from events, by identifier. */
export const progress = signal<ReadonlyMap<string, Progress>>(new Map())
/** Jobs that were asked for. */
export const jobs = signal<ReadonlyMap<string, Job>>(new Map())
/** Increases when events may have been missed. */
export const missed = signal(0)

const TYPES = ['job.queued', 'job.running', 'job.progress', 'job.completed', 'job.failed']
const AGAIN_AFTER = 2000
let stream: EventSource | undefined
let again: number | undefined

export function follow(): void {
  if (stream) return
  const opened = new EventSource(`${API}/v1/events`)
  stream = opened
  let wasReady = false
  opened.addEventListener('ready', () => {
    if (wasReady) missed.value += 1
    wasReady = true
  })
  opened.addEventListener('events.missed', () => { missed.value += 1 })
  for (const type of TYPES) {
    opened.addEventListener(type, (event) => {
      const { data } = JSON.parse(event.data) as { data: { job_id: string; status: string; stage?: string; percent?: number } }
      const { job_id, ...rest } = data
      progress.value = new Map(progress.value).set(job_id, rest)
    })
  }
  opened.addEventListener('error', () => {
    // The browser connects again by itself, unless the server has refused.
    if (opened.readyState !== EventSource.CLOSED) return
    unfollow()
    again = window.setTimeout(() => void getSession().then((session) => (session ? follow() : sessionOver()), follow), AGAIN_AFTER)
  })
}

export function unfollow(): void {
  clearTimeout(again)
  stream?.close()
  stream = undefined
}

export function forgetJobs(): void {
  progress.value = new Map()
  jobs.value = new Map()
}

const AT_ONCE = 6
const wanted: string[] = []
const asked = new Set<string>()
let active = 0

/** Asks for a job once; `jobs` has it soon. */
export function want(id: string): void {
  if (jobs.value.has(id) || asked.has(id)) return
  asked.add(id)
  wanted.push(id)
  ask()
}

function ask(): void {
  while (active < AT_ONCE) {
    const id = wanted.shift()
    if (!id) return
    active += 1
    getJob(id)
      .then((job) => { jobs.value = new Map(jobs.value).set(id, job) })
      .catch(() => {})
      .finally(() => {
        asked.delete(id)
        active -= 1
        ask()
      })
  }
}
