// What a form submits: once at a time, with the reason of a refusal.

import { useState } from 'preact/hooks'
import { reasonOf } from './notices'

export interface Submission {
  isBusy: boolean
  /** Why it was refused, or nothing. */
  problem: string
  run: (submit: () => Promise<void>) => Promise<void>
}

export function useSubmission(): Submission {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const run = async (submit: () => Promise<void>) => {
    setBusy(true)
    setProblem('')
    try {
      await submit()
    } catch (error) {
      setProblem(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, run }
}
