// Files and folders, dropped or chosen.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../messages'

export interface Chosen {
  files: File[]
  /** Name of the folder that they were in. */
  folder?: string
}

/** All files of what was dropped, folders included. */
async function dropped(transfer: DataTransfer): Promise<Chosen> {
  const items = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null)
  if (items.length === 0) return { files: [...transfer.files] }
  const files: File[] = []
  const read = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      files.push(await new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)))
      return
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader()
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (some.length === 0) return
      for (const inner of some) await read(inner)
    }
  }
  for (const item of items) await read(item)
  return { files, folder: items.length === 1 && items[0]?.isDirectory ? items[0].name : undefined }
}

/** Takes files that are dropped anywhere on the page. */
export function DropZone({ take, children }: { take: (chosen: Chosen) => void; children: ComponentChildren }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files')
    const enter = (event: DragEvent) => { if (hasFiles(event)) { depth += 1; setOver(true) } }
    const leave = (event: DragEvent) => { if (hasFiles(event)) { depth -= 1; setOver(depth > 0) } }
    const over = (event: DragEvent) => { if (hasFiles(event)) event.preventDefault() }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      depth = 0
      setOver(false)
      void dropped(event.dataTransfer).then(take)
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [take])
  return (
    <>
      {children}
      {isOver && <div class="drop-over" aria-hidden="true"><span>{t().dropNow}</span></div>}
    </>
  )
}

/** Buttons for those who do not drag, and for phones. */
export function ChooseFiles({ take, isSmall }: { take: (chosen: Chosen) => void; isSmall?: boolean }) {
  const folder = useRef<HTMLInputElement>(null)
  const photos = useRef<HTMLInputElement>(null)
  useEffect(() => { folder.current?.setAttribute('webkitdirectory', '') }, [])
  const chosen = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement
    const files = [...(input.files ?? [])]
    const name = files[0]?.webkitRelativePath.split('/')[0]
    input.value = ''
    if (files.length > 0) take({ files, folder: name || undefined })
  }
  return (
    <div class="row">
      <button class={isSmall ? '' : 'primary'} type="button" onClick={() => folder.current?.click()}>{t().chooseFolder}</button>
      <button type="button" onClick={() => photos.current?.click()}>{t().choosePhotos}</button>
      <input ref={folder} class="hidden" type="file" multiple tabIndex={-1} aria-hidden="true" data-testid="folder" onChange={chosen} />
      <input ref={photos} class="hidden" type="file" multiple accept="image/*,.heic,.heif,.hif,.avif,.dng,.nef" tabIndex={-1} aria-hidden="true" data-testid="photos" onChange={chosen} />
    </div>
  )
}
