// All pictures of a room, side by side.

import type { StagingJob } from '../../api/rooms'
import { t } from '../../messages'
import { staging } from '../../messages/staging'
import { VersionCards } from '../../parts/version-cards'
import { styleName } from './styles'

interface VersionParts {
  versions: StagingJob[]
  current: string | null
  open: (id: string) => void
  title: string
}

export const nameOf = ({ input: { options }, output: { style } }: StagingJob): string => styleName(options?.style_prompt ?? style?.style ?? t().style)

export function Versions({ versions, ...rest }: VersionParts) {
  const madeOf = ({ input }: StagingJob) => (input.options?.quality === 'draft' ? staging().draft : staging().final)
  return <VersionCards {...rest} cards={versions.map((job) => ({ job, name: nameOf(job), icon: 'sofa', made: madeOf(job) }))} />
}
