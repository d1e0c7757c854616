// How far a job is, with a button that cancels it; or why it failed.

import { t } from '../messages'
import { errorText } from '../messages/reasons'
import { cancel, hasEnded } from '../job'
import type { Followed } from '../job'

export function JobProgress({ followed: { job, progress } }: { followed: Followed }) {
  const status = progress?.status ?? job?.status
  if (!job || status === 'completed') return null
  if (status === 'failed') {
    return <p class="problem" role="alert">{job.output.error ? t().failed(errorText(job.output.error)) : t().failedShort}</p>
  }
  if (hasEnded(status)) return null
  return (
    <p class="row" role="status">
      <span class="dot" />
      <span class="grow">{progress?.stage ?? t().running}{progress?.percent !== undefined && ` · ${Math.round(progress.percent)} %`}</span>
      <button type="button" onClick={() => void cancel(job.id)}>{t().cancel}</button>
    </p>
  )
}
