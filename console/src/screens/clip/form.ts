// What a person chooses at the clip desk, and the request that says so.

import type { ClipOptions } from '../../api/rooms'
import { MOVES } from './moves'

export interface Form {
  move: string
  speed: string
  words: string
  level: string
  frame: string
  format: string
  resolution: string
  grade: string
  duration: number
}

export const FIRST: Form = {
  move: 'push_in', speed: '', words: '', level: 'medium', frame: 'first', format: '', resolution: '1080p', grade: '', duration: 5,
}
export const RESOLUTIONS = ['720p', '1080p', '1440p', '2160p']

/** The lowest resolution and the shortest clip: what is soonest there. */
const PREVIEW = { resolution: '720p', duration: 3 } as const

export function optionsOf(form: Form): ClipOptions {
  const move = [form.speed, MOVES[form.move]].filter(Boolean).join(' ')
  const prompt = [MOVES[form.move] ? move : form.speed, form.words.trim()].filter(Boolean).join(', ')
  return {
    ...(prompt ? { prompt } : {}),
    creativity_level: form.level as ClipOptions['creativity_level'],
    frame_mode: form.frame as ClipOptions['frame_mode'],
    duration: form.duration,
    resolution: form.resolution as ClipOptions['resolution'],
    ...(form.format ? { aspect_ratio: form.format as ClipOptions['aspect_ratio'] } : {}),
    ...(form.grade ? { grade: form.grade as ClipOptions['grade'] } : {}),
  }
}

export const previewOf = (form: Form): ClipOptions => ({ ...optionsOf(form), ...PREVIEW })

export const isPreview = (options: ClipOptions): boolean => options.resolution === PREVIEW.resolution && options.duration === PREVIEW.duration

/** Whether two clips differ in nothing but length and resolution. */
export function isSameMove(a: ClipOptions, b: ClipOptions): boolean {
  const essence = ({ duration, resolution, ...rest }: ClipOptions) => JSON.stringify(Object.entries(rest).sort())
  return essence(a) === essence(b)
}

/** The form that asks for what a job was asked for. */
export function formOf(options: ClipOptions): Form {
  const prompt = options.prompt ?? ''
  const [head = '', ...rest] = prompt.split(', ')
  const speed = /^(slow|fast)\b/.exec(head)?.[1] ?? ''
  const named = head.slice(speed.length).trim()
  const move = Object.keys(MOVES).find((one) => MOVES[one] === named)
  const isKnown = move !== undefined
  return {
    move: move ?? 'auto',
    speed: isKnown ? speed : '',
    words: isKnown ? rest.join(', ') : prompt,
    level: options.creativity_level ?? FIRST.level,
    frame: options.frame_mode ?? FIRST.frame,
    format: options.aspect_ratio ?? '',
    resolution: isPreview(options) ? FIRST.resolution : options.resolution ?? FIRST.resolution,
    grade: options.grade ?? '',
    duration: isPreview(options) ? FIRST.duration : options.duration ?? FIRST.duration,
  }
}
