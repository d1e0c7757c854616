// What is asked of a flight.

import type { AddressJob } from '../../api/desks'
import { FILM } from '../../parts/film-options'
import type { Film } from '../../parts/film-options'

export interface Form {
  address: string
  direction: string
  film: Film
  highlight: boolean
  label: boolean
}

export const FIRST: Form = { address: '', direction: 'original', film: FILM, highlight: true, label: true }

/** The request for a film. */
export const bodyOf = ({ address, direction, film, highlight, label }: Form) =>
  ({ address: address.trim(), options: { direction, ...film, highlight, label } })

/** The request for stills: what they look like depends on nothing else. */
export const previewOf = ({ address, film, highlight, label }: Form) =>
  ({ address: address.trim(), options: { aspect_ratio: film.aspect_ratio, highlight, label } })

/** What a job was asked for. What stills leave open stays as it was. */
export function formOf({ input: { address = '', options = {} } }: AddressJob, before: Form): Form {
  const text = (value: unknown, other: string) => (typeof value === 'string' ? value : other)
  const film = {
    aspect_ratio: text(options.aspect_ratio, FILM.aspect_ratio),
    resolution: text(options.resolution, before.film.resolution),
    duration: typeof options.duration === 'number' ? options.duration : before.film.duration,
  }
  return { address, direction: text(options.direction, before.direction), film, highlight: options.highlight !== false, label: options.label !== false }
}

const request = (body: unknown) => `-H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body).replace(/'/g, "'\\''")}'`

export function curl(form: Form): string {
  const shown = { ...form, address: form.address.trim() || '12 Larkspur Lane, 10001 Featherstone Vale' }
  return `STILLS=$(curl -s "$BASE/v1/drone-footage/generate?preview=true" ${request(previewOf(shown))} | jq -r .data.job_id)
curl -s "$BASE/v1/jobs/$STILLS" -H "X-API-Key: $KEY" | jq .data.output.previews
FILM=$(curl -s "$BASE/v1/drone-footage/generate" ${request(bodyOf(shown))} | jq -r .data.job_id)
curl -s "$BASE/v1/jobs/$FILM" -H "X-API-Key: $KEY" | jq .data.output`
}
