// What a clip says of itself, in words.

import type { ClipJob } from '../../api/rooms'
import { locale, t } from '../../messages'
import { clip } from '../../messages/clip'
import { Lines } from '../viewer'

export function Report({ job: { output } }: { job: ClipJob }) {
  const { motion, disclosure } = output
  if (!motion) return null
  const amount = (value: number) => value.toLocaleString(locale(), { maximumSignificantDigits: 2 })
  const moves = motion.moves.map(({ move, amount: by, unit }) => `${clip().did[move] ?? move.replace(/_/g, ' ')}, ${amount(by)} ${clip().units[unit] ?? unit}`)
  const sure = motion.confidence === null ? '' : ` ${clip().sure(Math.round(motion.confidence * 100))}`
  return (
    <div class="notes ledger">
      <Lines title={clip().report} lines={moves.length > 0 ? moves : [clip().still]} />
      <Lines title={t().refusedWords} lines={motion.refused.map(({ request, reason }) => `${request}: ${reason}`)} />
      <Lines title={t().unknownWords} lines={motion.not_understood} />
      <Lines title={clip().understood} lines={motion.understood} />
      <Lines title={clip().limits} lines={motion.limits} />
      <Lines title={clip().space} lines={[`${clip().spaces[motion.geometry] ?? motion.geometry}${sure}`]} />
      <Lines title={t().disclosure} lines={disclosure?.text ? [disclosure.text] : undefined} />
    </div>
  )
}
