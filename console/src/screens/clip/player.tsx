// A clip, alone or beside its preview.

import { useRef, useState } from 'preact/hooks'
import type { ClipJob } from '../../api/rooms'
import { clip } from '../../messages/clip'

interface PlayerParts {
  job: ClipJob
  /** A preview of the same move. */
  preview?: ClipJob
}

interface VideoParts {
  job: ClipJob
  name: string
  place?: (video: HTMLVideoElement | null) => void
  moved?: () => void
}

function Video({ job, name, place, moved }: VideoParts) {
  const { video_url, thumbnail_url } = job.output
  return (
    <video
      ref={place} key={job.id} src={video_url} poster={thumbnail_url} controls loop muted playsInline preload={place ? 'auto' : 'metadata'}
      aria-label={name} onTimeUpdate={moved} onSeeked={moved}
    />
  )
}

/** How far two videos may be apart, seconds: a busy browser does not show all frames. */
const APART = 0.2

export function Player({ job, preview }: PlayerParts) {
  const [isBoth, setBoth] = useState(false)
  const [isPlaying, setPlaying] = useState(false)
  const videos = useRef<[HTMLVideoElement | null, HTMLVideoElement | null]>([null, null])
  /** Brings the second to the place of the path where the first is. */
  const align = (apart: number) => {
    const [first, second] = videos.current
    if (!first?.duration || !second?.duration) return
    const wanted = (first.currentTime / first.duration) * second.duration
    if (Math.abs(second.currentTime - wanted) > apart) second.currentTime = wanted
  }
  const toggle = () => {
    const [first, second] = videos.current
    if (!first || !second) return
    setPlaying(!isPlaying)
    if (isPlaying) {
      first.pause()
      second.pause()
      align(0.01)
      return
    }
    // A preview is shorter: it takes as long here, so that both are at the same place of the path.
    second.playbackRate = second.duration / first.duration || 1
    first.currentTime = 0
    second.currentTime = 0
    void Promise.all([first.play(), second.play()]).catch(() => setPlaying(false))
  }
  return (
    <div class={isBoth ? 'player both' : 'player'}>
      {isBoth && preview ? (
        <div class="videos">
          <figure><Video job={job} name={clip().final} place={(video) => { videos.current[0] = video }} moved={() => align(APART)} /><figcaption class="quiet small">{clip().final}</figcaption></figure>
          <figure><Video job={preview} name={clip().preview} place={(video) => { videos.current[1] = video }} /><figcaption class="quiet small">{clip().preview}</figcaption></figure>
        </div>
      ) : <Video job={job} name={clip().final} />}
      {preview && (
        <div class="row">
          <label class="check"><input type="checkbox" checked={isBoth} onChange={(event) => { setBoth(event.currentTarget.checked); setPlaying(false) }} /><span>{clip().comparePreview}</span></label>
          {isBoth && <button type="button" onClick={toggle}>{isPlaying ? clip().pauseBoth : clip().playBoth}</button>}
        </div>
      )}
    </div>
  )
}
