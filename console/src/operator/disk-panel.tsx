// What uses the disk.

import type { Disk } from '../api/operator'
import { size } from '../messages'
import { operator as words } from '../messages/operator'

export function DiskPanel({ disk }: { disk?: Disk }) {
  const total = disk?.total ?? 0
  const free = disk?.free ?? 0
  const media = disk?.media ?? 0
  const database = disk?.database ?? 0
  const parts: [string, number][] = [
    [words().media, media], [words().database, database], [words().otherFiles, Math.max(0, total - free - media - database)],
  ]
  let left = 0
  return (
    <section class="card">
      <h2>{words().disk}</h2>
      {disk && total > 0 && (
        <svg class="bar" viewBox="0 0 1000 12" preserveAspectRatio="none" role="img" aria-label={words().diskLabel(size(total - free), size(total))}>
          <rect class="rest" x="0" y="0" width="1000" height="12" />
          {parts.map(([name, bytes], at) => {
            const from = left
            // Thin parts stay visible.
            const width = bytes > 0 ? Math.max(4, (bytes / total) * 1000) : 0
            left += width
            return <rect key={name} class={`kind-${at}`} x={from} y="0" width={width} height="12"><title>{`${name}: ${size(bytes)}`}</title></rect>
          })}
        </svg>
      )}
      {disk && (
        <dl class="lines">
          <div>
            <dt><span class="swatch kind-0" aria-hidden="true" />{words().media}</dt>
            <dd>{disk.media_in === 'bucket' ? words().inBucket : disk.media === null ? words().notMeasured : size(disk.media)}</dd>
          </div>
          <div class="inner"><dt>{words().uploads}</dt><dd>{size(disk.uploads)}</dd></div>
          <div><dt><span class="swatch kind-1" aria-hidden="true" />{words().database}</dt><dd>{size(disk.database)}</dd></div>
          {total > 0 && <div><dt><span class="swatch kind-2" aria-hidden="true" />{words().otherFiles}</dt><dd>{size(parts[2]?.[1] ?? 0)}</dd></div>}
          {disk.free !== null && <div><dt><span class="swatch rest" aria-hidden="true" />{words().free}</dt><dd>{size(disk.free)}</dd></div>}
        </dl>
      )}
      {disk?.refuses_jobs && <p class="problem" role="alert">{words().refuses(disk.refuses_jobs)}</p>}
    </section>
  )
}
