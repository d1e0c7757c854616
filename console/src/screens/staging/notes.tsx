// What a picture says of itself: doubts, what was left out, its scale, its disclosure.

import type { StagingJob } from '../../api/rooms'
import { t } from '../../messages'
import { pieceName } from '../../messages/furniture'
import { staging } from '../../messages/staging'
import { Lines } from '../viewer'
import { decimal } from './format'

export function Notes({ job: { output } }: { job: StagingJob }) {
  const { doubts, left_out, style, scale, disclosure } = output
  const share = (meters: number) => decimal(scale ? meters / scale.camera_height : 1)
  return (
    <div class="notes ledger">
      <Lines title={t().doubts} lines={doubts} />
      <Lines title={staging().leftOut} lines={left_out?.map(pieceName)} />
      <Lines title={staging().notUnderstood} lines={style?.not_understood} />
      <Lines title={staging().scale} lines={scale && [staging().scaleOf(decimal(scale.ceiling_height, 1), share(scale.range[0]), share(scale.range[1]))]} />
      <Lines title={t().disclosure} lines={disclosure?.text ? [disclosure.text] : undefined} />
    </div>
  )
}
