// Figures that are read again while the page is visible.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Refused } from '../api/client'
import { t } from '../messages'

const EVERY = 5000

export interface Polled<T> {
  /** What was read last. */
  value: T | undefined
  /** Why it could not be read again. */
  error: string
  /** When it was read. */
  at: number
  reload: () => void
}

/** Reads now and every `every` milliseconds; begins anew when `key` changes. */
export function usePolled<T>(read: () => Promise<T>, key = '', every = EVERY): Polled<T> {
  const [state, setState] = useState<{ key: string; value?: T; error: string; at: number }>({ key, error: '', at: 0 })
  const latest = useRef(read)
  latest.current = read
  const again = useRef(() => {})
  useEffect(() => {
    let timer: number | undefined
    let turn = 0
    const load = async () => {
      clearTimeout(timer)
      const own = ++turn
      try {
        const value = await latest.current()
        if (own === turn) setState({ key, value, error: '', at: Date.now() })
      } catch (error) {
        const why = error instanceof Refused ? error.message : t().offline
        if (own === turn) setState((before) => ({ ...before, key, value: before.key === key ? before.value : undefined, error: why }))
      }
      if (own === turn && document.visibilityState === 'visible') timer = window.setTimeout(() => void load(), every)
    }
    const shown = () => { if (document.visibilityState === 'visible') void load() }
    again.current = () => void load()
    document.addEventListener('visibilitychange', shown)
    void load()
    return () => {
      turn = -1
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [key, every])
  const reload = useCallback(() => again.current(), [])
  return { value: state.key === key ? state.value : undefined, error: state.error, at: state.at, reload }
}
