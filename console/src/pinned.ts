// Links to media are signed anew whenever a job is read: what is shown keeps the first.

import { useRef } from 'preact/hooks'

/** The first value of a key. */
export function usePinned<T>(key: string | undefined, value: T | undefined): T | undefined {
  const pinned = useRef<{ key?: string; value?: T }>({})
  if (pinned.current.key !== key || pinned.current.value === undefined) pinned.current = { key, value }
  return pinned.current.value
}
