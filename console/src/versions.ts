// What was made of one photo at a desk, newest first, as it happens.

import { useCallback, useEffect, useState } from 'preact/hooks'
import { newestJobs } from './api/rooms'
import { isFollowing, missed, progress } from './events'
import { hasEnded } from './job'
import { sayError } from './notices'
import type { Job } from './api/client'

type Made = Job & { input: { image_url?: string } }

export const statusNow = (job: { id: string; status: string }): string =>
  hasEnded(job.status) ? job.status : progress.value.get(job.id)?.status ?? job.status

/** A picture without the signature of its link, which differs each time. */
const unsigned = (imageUrl: string | undefined) => imageUrl?.replace(/^(https?:[^?]*)\?.*$/, '$1')

/** The newest jobs of a kind, those of a photo if one is given; and a function that asks for them again. */
export function useVersions<T extends { id: string; status: string }>(kind: string, imageUrl?: string): [T[], () => void] {
  const [all, setAll] = useState<Made[]>([])
  const load = useCallback(() => {
    newestJobs(kind).then((found) => {
      // Links of a job are signed anew each time: what has ended stays as it is, so that pictures are not loaded again.
      setAll((old) => found.map((job) => old.find((same) => same.id === job.id && hasEnded(same.status)) ?? job))
    }, sayError)
  }, [kind])
  const own = imageUrl === undefined ? all : all.filter((job) => unsigned(job.input.image_url) === unsigned(imageUrl))
  const ended = own.filter((job) => !hasEnded(job.status) && hasEnded(statusNow(job))).map((job) => job.id).join()
  const isBusy = own.some((job) => !hasEnded(job.status))
  useEffect(load, [load, imageUrl, ended, missed.value])
  useEffect(() => {
    if (!isBusy || isFollowing.value) return
    const timer = setInterval(load, 3000)
    return () => clearInterval(timer)
  }, [load, isBusy, isFollowing.value])
  return [own as unknown as T[], load]
}
