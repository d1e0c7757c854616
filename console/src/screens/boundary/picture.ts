// The clean picture with the outline on it.

import type { Point } from '../../api/desks'
import { boundary } from '../../messages/boundary'

const MOST_BYTES = 2_000_000
const QUALITIES = [0.92, 0.85, 0.75, 0.6]
/** Width of the line, as a share of the picture's. */
const LINE = 9 / 2048

/** Loads a picture, to be read: it then comes from the server itself, also where others come from a bucket. */
export async function load(url: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.crossOrigin = 'anonymous'
  picture.src = url
  await picture.decode()
  return picture
}

/** A JPEG of the picture with a closed outline, whose corners are its pixels. */
export async function annotated(url: string, corners: readonly Point[]): Promise<Blob> {
  const picture = await load(url)
  const canvas = document.createElement('canvas')
  canvas.width = picture.naturalWidth
  canvas.height = picture.naturalHeight
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.drawImage(picture, 0, 0)
  context.beginPath()
  for (const [x, y] of corners) context.lineTo(x, y)
  context.closePath()
  context.strokeStyle = '#ff2a1f'
  context.lineWidth = Math.max(2, canvas.width * LINE)
  context.stroke()
  for (const quality of QUALITIES) {
    const blob = await jpegOf(canvas, quality)
    if (blob && blob.size < MOST_BYTES) return blob
  }
  throw new Error('the picture stays too large')
}

async function jpegOf(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  try {
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  } catch {
    // Pictures of another host may be shown, and not read.
    throw new Error(boundary().noCanvas)
  }
}
