// One job of a desk: submitted once whatever happens to the page, and followed until it ends.

import { useEffect, useState } from 'preact/hooks'
import { Refused, cancelJob, getJob, submitJob } from './api/client'
import type { Job } from './api/client'
import { isFollowing, missed, progress } from './events'
import type { Progress } from './events'
import { sayError } from './notices'

const ENDED = ['completed', 'failed']
/** In which a markup job waits for its client, and changes without an event. */
const WAITING = 'awaiting_input'

export const hasEnded = (status: string | undefined): boolean => ENDED.includes(status ?? '')

export interface Followed {
  job: Job | null
  progress: Progress | null
  /** Whether the organization has no such job. */
  isMissing: boolean
}

/** A job, read again whenever its status changes. */
export function useJob(id: string | null): Followed {
  const [job, setJob] = useState<Job | null>(null)
  const [isMissing, setMissing] = useState(false)
  const now = id ? progress.value.get(id) ?? null : null
  const status = now?.status
  const wantsPolling = !isFollowing.value || job?.status === WAITING
  useEffect(() => {
    setJob(null)
    setMissing(false)
  }, [id])
  useEffect(() => {
    if (!id) return
    let isCurrent = true
    getJob(id).then((found) => { if (isCurrent) setJob(found) }, (error) => {
      if (!(error instanceof Refused) || ![400, 404].includes(error.status)) sayError(error)
      else if (isCurrent) setMissing(true)
    })
    return () => { isCurrent = false }
  }, [id, status, missed.value])
  useEffect(() => {
    if (!id || !wantsPolling || hasEnded(job?.status)) return
    const timer = setInterval(() => { getJob(id).then(setJob, () => {}) }, 3000)
    return () => clearInterval(timer)
  }, [id, wantsPolling, job?.status])
  return { job: job?.id === id ? job : null, progress: now, isMissing }
}

/**
 * Submits a request for a kind, for example `/v1/virtual-staging/generate`, and gives the identifier of its job. The same request, sent again because
 * no response arrived, makes one job.
 */
export async function make(path: string, body: unknown): Promise<string> {
  const text = JSON.stringify(body)
  const name = `request ${path} ${text}`
  const key = sessionStorage.getItem(name) ?? crypto.randomUUID()
  sessionStorage.setItem(name, key)
  try {
    return await submitJob(path, text, key)
  } finally {
    // Kept only if the page is closed before the response.
    sessionStorage.removeItem(name)
  }
}

export async function cancel(id: string): Promise<void> {
  try {
    await cancelJob(id)
  } catch (error) {
    sayError(error)
  }
}
