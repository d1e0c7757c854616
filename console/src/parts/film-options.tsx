// Options that films have in common.

import { desks } from '../messages/desks'
import { Chips } from '../screens/set-panel'

export const DIRECTIONS = ['original', 'north', 'south', 'east', 'west', 'topdown_zoomout', 'topdown_zoomin']
const FORMATS = ['16:9', '9:16', '1:1']
const RESOLUTIONS = ['720p', '1080p', '1440p', '2160p']

/** The class of pictures of a format. */
export const shapeOf = (format: unknown): string => ({ '9:16': 'tall', '1:1': 'square' })[String(format)] ?? ''

export interface Film {
  aspect_ratio: string
  resolution: string
  duration: number
}

export const FILM: Film = { aspect_ratio: '16:9', resolution: '1080p', duration: 10 }

export function FilmOptions({ film, change }: { film: Film; change: (film: Film) => void }) {
  return (
    <>
      <div class="option"><span class="option-name">{desks().format}</span>
        <Chips label={desks().format} values={FORMATS} names={desks().formats} chosen={film.aspect_ratio} choose={(aspect_ratio) => change({ ...film, aspect_ratio })} />
      </div>
      <div class="option"><span class="option-name">{desks().resolution}</span>
        <Chips label={desks().resolution} values={RESOLUTIONS} names={{}} chosen={film.resolution} choose={(resolution) => change({ ...film, resolution })} />
      </div>
      <label class="option"><span class="option-name">{desks().duration} · {desks().seconds(film.duration)}</span>
        <input type="range" min="6" max="20" step="1" value={film.duration} aria-valuetext={desks().seconds(film.duration)} onInput={(event) => change({ ...film, duration: event.currentTarget.valueAsNumber })} />
      </label>
    </>
  )
}
