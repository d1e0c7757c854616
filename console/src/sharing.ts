// What is shared of a listing, and what the viewers of its links said.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { listReviews, listShareLinks } from './api/share'
import type { Review, ShareLink } from './api/share'
import { isFollowing, missed, reviewed } from './events'

/** How often to look while no events arrive. */
const EVERY = 15_000

/** What was said of one photo, newest first. */
export interface Said {
  reviews: Review[]
  /** Rejected if any viewer rejects it. */
  decision: 'approved' | 'rejected' | null
  comments: number
}

export interface Sharing {
  links: ShareLink[] | null
  reviews: Review[]
  ofPhoto: ReadonlyMap<string, Said>
  load: () => Promise<void>
}

function byPhoto(reviews: Review[]): Map<string, Said> {
  const found = new Map<string, Said>()
  for (const review of reviews) {
    if (!review.photo_id) continue
    const said = found.get(review.photo_id) ?? { reviews: [], decision: null, comments: 0 }
    said.reviews.push(review)
    if (review.text !== null) said.comments += 1
    else if (said.decision !== 'rejected') said.decision = review.decision
    found.set(review.photo_id, said)
  }
  return found
}

/** Kept up to date by events; without them, while the page is seen and a link works. */
export function useSharing(listing: string): Sharing {
  const [links, setLinks] = useState<ShareLink[] | null>(null)
  const [reviews, setReviews] = useState<Review[]>([])
  const load = useCallback(async () => {
    const found = await listShareLinks(listing)
    setLinks(found)
    setReviews(found.length > 0 ? await listReviews(listing) : [])
  }, [listing])
  const isShared = links?.some((link) => link.status === 'active') ?? false
  const said = reviewed.value.listing === listing ? reviewed.value.count : 0
  useEffect(() => void load().catch(() => {}), [load, missed.value, said])
  useEffect(() => {
    if (!isShared || isFollowing.value) return
    const look = () => { if (!document.hidden) void load().catch(() => {}) }
    const timer = setInterval(look, EVERY)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [load, isShared, isFollowing.value])
  const ofPhoto = useMemo(() => byPhoto(reviews), [reviews])
  return { links, reviews, ofPhoto, load }
}
