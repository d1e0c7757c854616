// Events of jobs, as they happen.

import { signal } from '@preact/signals'
import { API, Refused, getJob, getSession, sessionOver } from './api/client'
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

/** The listing that somebody has just reviewed, and how many such events there were. */
export const reviewed = signal({ listing: '', count: 0 })

/** Whether events arrive; otherwise, screens ask now and then. */
export const isFollowing = signal(false)

const TYPES = ['job.queued', 'job.running', 'job.progress', 'job.awaiting_input', 'job.completed', 'job.failed']
/** When to connect again after the server has refused: at first because the session may be over, then because others use all streams. */
const AGAIN_AFTER = [2000, 15_000]
/** How long a page that nobody sees keeps its stream: browsers have few connections to a server, and the server few streams. */
const HIDDEN_FOR = 20_000

let stream: EventSource | undefined
let again: number | undefined
let hiding: number | undefined
let refusals = 0
let isWanted = false

document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding)
  if (!isWanted) return
  if (document.hidden) {
    hiding = window.setTimeout(close, HIDDEN_FOR)
  } else if (!stream) {
    missed.value += 1
    open()
  }
})

export function follow(): void {
  isWanted = true
  open()
}

export function unfollow(): void {
  isWanted = false
  close()
}

function close(): void {
  clearTimeout(again)
  stream?.close()
  stream = undefined
  isFollowing.value = false
}

function open(): void {
  if (stream) return
  const opened = new EventSource(`${API}/v1/events`)
  stream = opened
  let wasReady = false
  opened.addEventListener('ready', () => {
    if (wasReady) missed.value += 1
    wasReady = true
    isFollowing.value = true
    refusals = 0
  })
  opened.addEventListener('events.missed', () => { missed.value += 1 })
  for (const type of TYPES) {
    opened.addEventListener(type, (event) => {
      const { data } = JSON.parse(event.data) as { data: { job_id: string; status: string; stage?: string; percent?: number } }
      const { job_id, ...rest } = data
      progress.value = new Map(progress.value).set(job_id, rest)
    })
  }
  opened.addEventListener('listing.reviewed', (event) => {
    const { data } = JSON.parse(event.data) as { data: { listing_id: string } }
    reviewed.value = { listing: data.listing_id, count: reviewed.value.count + 1 }
  })
  opened.addEventListener('error', () => {
    isFollowing.value = false
    // The browser connects again by itself, unless the server has refused.
    if (opened.readyState !== EventSource.CLOSED) return
    close()
    const wait = AGAIN_AFTER[Math.min(refusals, AGAIN_AFTER.length - 1)]
    refusals += 1
    again = window.setTimeout(() => void getSession().then((session) => (session ? open() : sessionOver()), open), wait)
  })
}

export function forgetJobs(): void {
  progress.value = new Map()
  jobs.value = new Map()
}

const AT_ONCE = 3
const ASK_AGAIN_AFTER = 10_000
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
      .catch((error) => {
        // Of the connection, or too many at once.
        if (!(error instanceof Refused) || error.status === 429) setTimeout(() => want(id), ASK_AGAIN_AFTER)
      })
      .finally(() => {
        asked.delete(id)
        active -= 1
        ask()
      })
  }
}
