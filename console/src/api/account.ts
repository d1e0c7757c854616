// Requests for keys and webhooks.

import { API, Refused, client, proof, sessionOver, unwrap } from './client'
import type { Key } from './client'
import type { components } from './schema'

export type Webhook = components['schemas']['Webhook']
export type WebhookSecret = components['schemas']['WebhookSecret']
export type WebhookRequest = components['schemas']['WebhookRequest']
export type WebhookChange = components['schemas']['WebhookChange']
export type EventType = components['schemas']['EventType']
export type Delivery = components['schemas']['Delivery']

/** A key with its text, which is shown once. */
export interface NewKey extends Key {
  key: string
}

export const SCOPES = ['read', 'generate', 'usage']

async function ofKeys(method: string, id: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { ...proof(), ...(body ? { 'Content-Type': 'application/json' } : {}) }
  const response = await fetch(`${API}/keys${id}`, { method, headers, body: body ? JSON.stringify(body) : undefined })
  if (response.status === 401) sessionOver()
  if (!response.ok) throw new Refused(response.status, (await response.json().catch(() => ({}))).error)
  return response
}

export async function createKey(scopes: string[], days: number | null): Promise<NewKey> {
  return (await (await ofKeys('POST', '', { scopes, ...(days ? { expires_in_days: days } : {}) })).json()).data
}

export async function revokeKey(id: string): Promise<void> {
  await ofKeys('DELETE', `/${id}`)
}

const at = (webhookId: string) => ({ path: { webhookId } })

export async function listWebhooks(): Promise<Webhook[]> {
  return (await unwrap(client.GET('/v1/webhooks'))).data
}

export async function getWebhook(id: string): Promise<Webhook> {
  return (await unwrap(client.GET('/v1/webhooks/{webhookId}', { params: at(id) }))).data
}

export async function createWebhook(body: WebhookRequest): Promise<WebhookSecret> {
  return (await unwrap(client.POST('/v1/webhooks', { body }))).data
}

export async function changeWebhook(id: string, body: WebhookChange): Promise<Webhook> {
  return (await unwrap(client.PATCH('/v1/webhooks/{webhookId}', { params: at(id), body }))).data
}

export async function deleteWebhook(id: string): Promise<void> {
  await unwrap(client.DELETE('/v1/webhooks/{webhookId}', { params: at(id) }))
}

export async function rotateSecret(id: string): Promise<WebhookSecret> {
  return (await unwrap(client.POST('/v1/webhooks/{webhookId}/rotate-secret', { params: at(id) }))).data
}

export async function testWebhook(id: string): Promise<Delivery> {
  return (await unwrap(client.POST('/v1/webhooks/{webhookId}/test', { params: at(id) }))).data
}

export async function listDeliveries(id: string, limit: number): Promise<{ deliveries: Delivery[]; total: number }> {
  const params = { ...at(id), query: { limit } }
  const page = await unwrap(client.GET('/v1/webhooks/{webhookId}/deliveries', { params }))
  return { deliveries: page.data, total: page.pagination.total }
}

export async function replayDelivery(webhookId: string, deliveryId: string): Promise<Delivery> {
  const params = { path: { webhookId, deliveryId } }
  return (await unwrap(client.POST('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', { params }))).data
}
