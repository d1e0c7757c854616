// Jobs of staged rooms and of clips: what they take and return, and those of one photo.

import { client, local, unwrap } from './client'
import type { Job } from './client'
import type { components } from './schema'
import type { Piece } from '../furniture'

export type StagingOptions = components['schemas']['VirtualStagingOptions']
export type PlacedPiece = components['schemas']['PlacedPiece']
export type ClipOptions = components['schemas']['VideoClipOptions']

export const STAGING = '/v1/virtual-staging/generate'
export const CLIP = '/v1/video-clip/generate'

export interface StagingRequest {
  image_url: string
  room_type: string
  options: StagingOptions
}

export interface ClipRequest {
  image_url: string
  options: ClipOptions
}

export interface StagingJob extends Omit<Job, 'input' | 'output'> {
  input: StagingRequest
  output: Omit<Job['output'], 'furniture'> & {
    width?: number
    height?: number
    furniture?: Piece[]
    left_out?: string[]
    seed?: number
    confidence?: number
    style?: { style: string; not_understood: string[] }
    scale?: { camera_height: number; range: [number, number]; ceiling_height: number; ruler: string }
  }
}

export interface Motion {
  moves: { move: string; amount: number; unit: string }[]
  understood: string[]
  refused: { request: string; reason: string }[]
  not_understood: string[]
  limits: string[]
  geometry: string
  confidence: number | null
  displacement_percent: number
}

export interface ClipJob extends Omit<Job, 'input' | 'output'> {
  input: ClipRequest
  output: Job['output'] & { duration?: number; motion?: Motion }
}

/** The newest jobs of a kind. */
export async function newestJobs(kind: string): Promise<Job[]> {
  const query = { limit: 100, job_type: kind }
  const page = await unwrap(client.GET('/v1/jobs', { params: { query } }))
  return local(page.data) as unknown as Job[]
}

/** The address of a job's picture as other requests take it: that of the server, not of this page. */
export async function pictureAddress(jobId: string): Promise<string | null> {
  const answer = await unwrap(client.GET('/v1/jobs/{jobId}', { params: { path: { jobId } } }))
  return (answer.data as unknown as Job).output.image_url ?? null
}

/** Size in pixels of an upload. */
export async function uploadSize(imageUrl: string): Promise<[number, number] | null> {
  const uploadId = /^aerie:upload\/(.+)$/.exec(imageUrl)?.[1]
  if (!uploadId) return null
  const { data } = await unwrap(client.GET('/v1/uploads/{uploadId}', { params: { path: { uploadId } } }))
  return data.width && data.height ? [data.width, data.height] : null
}
