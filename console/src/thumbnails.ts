// Small pictures of a photo, for the page: the photo itself is not changed.

const SMALL = 480
const LARGE = 1600

export async function thumbnails(file: Blob): Promise<{ small: Blob; large: Blob }> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    return { small: await scaled(picture, SMALL, 0.8), large: await scaled(picture, LARGE, 0.86) }
  } finally {
    picture.close()
  }
}

async function scaled(picture: ImageBitmap, longest: number, quality: number): Promise<Blob> {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
  const [width, height] = [Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale))]
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', quality)
  })
}
