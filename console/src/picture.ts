// The picture of a photo that a desk works on: from what the browser keeps, or from what was made of it.

import { useEffect, useState } from 'preact/hooks'
import { newestJobs, uploadSize } from './api/rooms'
import { keptPicture } from './kept'
import { sending } from './uploads'

export interface PhotoPicture {
  url: string
  /** Of the photo, pixels, if known: the picture may be smaller. */
  size?: [number, number]
}

/** As a photo whose size was noted before it was turned upright. */
const upright = (size: [number, number], isPortrait: boolean): [number, number] =>
  size[1] > size[0] === isPortrait ? size : [size[1], size[0]]

async function shownSize(url: string): Promise<[number, number]> {
  const image = new Image()
  image.src = url
  await image.decode()
  return [image.naturalWidth, image.naturalHeight]
}

async function find(imageUrl: string): Promise<PhotoPicture | null> {
  const kept = await keptPicture(imageUrl)
  if (kept) return { url: URL.createObjectURL(kept.large), size: [kept.width, kept.height] }
  const url = [...sending.value.values()].find((photo) => photo.imageUrl === imageUrl)?.large
  if (url) {
    const [size, [width, height]] = [await uploadSize(imageUrl).catch(() => null), await shownSize(url)]
    return size ? { url, size: upright(size, height > width) } : { url }
  }
  // Jobs have the photo itself.
  for (const kind of ['image_enhance', 'virtual_staging']) {
    const made = (await newestJobs(kind)).find(({ input, output }) => (input as { image_url?: string }).image_url === imageUrl && output.original_url)
    const original = made?.output.original_url
    if (original) return { url: original, size: await shownSize(original) }
  }
  return null
}

/** The picture of a photo; `made` is one of a finished job, which is preferred. */
export function usePicture(imageUrl: string | undefined, made: PhotoPicture | null): PhotoPicture | null {
  const [own, setOwn] = useState<PhotoPicture | null>(null)
  const hasMade = made !== null
  useEffect(() => {
    setOwn(null)
    if (!imageUrl || hasMade) return
    let isCurrent = true
    find(imageUrl).then((found) => { if (isCurrent) setOwn(found) }, () => {})
    return () => { isCurrent = false }
  }, [imageUrl, hasMade, sending.value.size])
  return made ?? own
}
