// One photo that belongs to no listing, uploaded for a desk of the studio; and what all uploads by tus have in common.

import { Upload } from 'tus-js-client'
import type { DetailedError, UploadOptions } from 'tus-js-client'
import { API, Refused, proof, sessionOver } from './api/client'
import { errorText } from './messages/reasons'

const PART = 5_000_000

/** How this server is uploaded to. */
export function tus(filename: string): UploadOptions {
  return {
    endpoint: `${API}/v1/uploads`,
    chunkSize: PART,
    retryDelays: [500, 1500, 4000, 10_000, 20_000],
    storeFingerprintForResuming: false,
    metadata: { filename },
    onBeforeRequest(request) {
      for (const [name, value] of Object.entries(proof())) request.setHeader(name, value)
    },
  }
}

/** What requests of jobs and listings name an upload by. */
export const imageUrlOf = (uploadUrl: string): string => `aerie:upload/${uploadUrl.split('/').pop()}`

/** The response of a failed upload: its status, 0 without one, and the reason that it gives. */
export function responseOf(error: Error | DetailedError): { status: number; why?: string } {
  const response = 'originalResponse' in error ? error.originalResponse : null
  try {
    return { status: response?.getStatus() ?? 0, why: errorText(JSON.parse(response?.getBody() ?? '').error) }
  } catch {
    return { status: response?.getStatus() ?? 0 }
  }
}

/**
 * Uploads a photo and gives its `image_url`; `onSent` gets the share of its bytes that the server has. It is refused with the reason of the
 * server, and with the error of the connection if that stays away.
 */
export function uploadOne(file: File, onSent: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      ...tus(file.name),
      onProgress: (sent, total) => onSent(total ? sent / total : 0),
      onSuccess: () => resolve(imageUrlOf(upload.url ?? '')),
      onError: (error) => {
        const { status, why } = responseOf(error)
        if (status === 401) sessionOver()
        reject(status ? new Refused(status, why === undefined ? undefined : { message: why }) : error)
      },
    })
    upload.start()
  })
}
