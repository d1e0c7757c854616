// What was made of a photo, side by side.

import { progress } from '../events'
import { t } from '../messages'
import { statusNow } from '../versions'
import { Icon } from './icon'
import type { IconName } from './icon'
import './desk.css'

export interface Version {
  job: { id: string; status: string; output: { thumbnail_url?: string } }
  name: string
  icon: IconName
  /** What is said of it when it is finished. */
  made: string
}

interface VersionParts {
  cards: Version[]
  current: string | null
  open: (id: string) => void
  title: string
}

export function VersionCards({ cards, current, open, title }: VersionParts) {
  return (
    <section aria-label={title}>
      <h2 class="strip-title">{title}</h2>
      <ul class="version-cards">
        {cards.map(({ job, name, icon, made }) => {
          const status = statusNow(job)
          const state = status === 'completed' ? made : status === 'failed' ? t().failedShort : status === 'running' ? t().running : t().queued
          return (
            <li key={job.id}>
              <button type="button" class="version-card" aria-pressed={job.id === current} onClick={() => open(job.id)}>
                <span class="shot">
                  {job.output.thumbnail_url ? <img src={job.output.thumbnail_url} alt="" loading="lazy" /> : <Icon name={status === 'failed' ? 'warning' : icon} />}
                  {status === 'running' && <progress max="100" value={progress.value.get(job.id)?.percent} aria-label={t().running} />}
                </span>
                <span class="row tight"><span class="ellipsis">{name}</span><span class="quiet small">{state}</span></span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
