// The furniture of a picture while it is rearranged: what was done can be undone, and outlives the page.

import { useRef, useState } from 'preact/hooks'
import type { StagingJob } from './api/rooms'
import { placed } from './furniture'
import type { Piece } from './furniture'

export interface Arrangement {
  pieces: Piece[]
  isChanged: boolean
  /** Changes with the same gesture, one after the other, are undone together. */
  change: (next: Piece[], gesture?: string) => void
  undo?: () => void
  redo?: () => void
  reset: () => void
}

interface History {
  past: Piece[][]
  now: Piece[]
  future: Piece[][]
}

const nameOf = (job: StagingJob) => `arrangement ${job.id}`

function kept(job: StagingJob): History {
  const original = job.output.furniture ?? []
  try {
    const now = JSON.parse(sessionStorage.getItem(nameOf(job)) ?? '') as Piece[]
    return { past: [original], now, future: [] }
  } catch {
    return { past: [], now: original, future: [] }
  }
}

const MOST_STEPS = 100

/** The arrangement of a finished job; for another job, in a component of its own. */
export function useArrangement(job: StagingJob): Arrangement {
  const [state, setState] = useState(() => kept(job))
  const latest = useRef(state)
  const gesture = useRef<string | undefined>(undefined)
  const become = (next: History) => {
    latest.current = next
    sessionStorage.setItem(nameOf(job), JSON.stringify(next.now))
    setState(next)
  }
  const step = (from: 'past' | 'future') => {
    gesture.current = undefined
    const { past, now, future } = latest.current
    const [earlier, later] = [past.at(-1), future[0]]
    if (from === 'past' && earlier) become({ past: past.slice(0, -1), now: earlier, future: [now, ...future] })
    if (from === 'future' && later) become({ past: [...past, now], now: later, future: future.slice(1) })
  }
  const original = job.output.furniture ?? []
  return {
    pieces: state.now,
    isChanged: JSON.stringify(state.now.map(placed)) !== JSON.stringify(original.map(placed)),
    change(next, by) {
      const { past, now } = latest.current
      const goesOn = by !== undefined && by === gesture.current
      gesture.current = by
      become({ past: goesOn ? past : [...past, now].slice(-MOST_STEPS), now: next, future: [] })
    },
    undo: state.past.length > 0 ? () => step('past') : undefined,
    redo: state.future.length > 0 ? () => step('future') : undefined,
    reset() {
      gesture.current = undefined
      become({ past: [...latest.current.past, latest.current.now], now: original, future: [] })
    },
  }
}
