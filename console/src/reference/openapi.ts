// What the reference reads of the OpenAPI document.

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  oneOf?: Schema[]
  allOf?: Schema[]
  default?: unknown
  example?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export interface Content {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Operation {
  tags?: string[]
  summary: string
  description?: string
  operationId: string
  parameters?: { name: string; in: string; description?: string; required?: boolean; schema?: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, Content> }>
  security?: unknown[]
}

export interface OpenApi {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface Call {
  path: string
  method: string
  operation: Operation
}

/** The calls by their tags: first those for clients, then those for operators and browsers. */
export function byTag(document: OpenApi): [string, Call[]][] {
  const tags = new Map<string, Call[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other'
      tags.set(tag, [...(tags.get(tag) ?? []), { path, method: method.toUpperCase(), operation }])
    }
  }
  const isForClients = ([, calls]: [string, Call[]]) => calls.some(({ path }) => path.startsWith('/v1/'))
  return [...tags].sort((a, b) => Number(isForClients(b)) - Number(isForClients(a)))
}

/** A schema in place of a reference to it; members of `allOf` are those of the whole. */
export function resolved(schema: Schema, document: OpenApi): Schema {
  const named = schema.$ref && document.components.schemas[schema.$ref.split('/').pop() ?? '']
  if (named) return { ...resolved(named, document), ...(schema.description && { description: schema.description }) }
  const given = schema.oneOf?.filter((one) => one.type !== 'null')
  const [only] = given ?? []
  if (only && given?.length === 1) return { ...resolved(only, document), ...(schema.description && { description: schema.description }) }
  if (!schema.allOf) return schema
  const parts = schema.allOf.map((part) => resolved(part, document))
  return {
    ...Object.assign({}, ...parts),
    ...schema,
    allOf: undefined,
    properties: Object.assign({}, ...parts.map((part) => part.properties), schema.properties),
    required: [...parts.flatMap((part) => part.required ?? []), ...(schema.required ?? [])],
  }
}

/** The type in words, with its limits. */
export function kindOf(schema: Schema, document: OpenApi): string {
  const whole = resolved(schema, document)
  if (whole.enum) return whole.enum.map((value) => JSON.stringify(value)).join(', ')
  const types = [whole.type ?? []].flat().filter((type) => type !== 'null')
  if (types[0] === 'array') return `array${range(whole.minItems, whole.maxItems)} of ${whole.items ? kindOf(whole.items, document) : 'values'}`
  const choices = whole.oneOf?.filter((one) => one.type !== 'null').map((one) => kindOf(one, document))
  if (types.length === 0) return choices ? [...new Set(choices)].join(' or ') : whole.properties ? 'object' : 'any value'
  const format = whole.format && !/^int|^float|^double/.test(whole.format) ? ` (${whole.format})` : ''
  return `${types.join(' or ')}${format}${range(whole.minimum ?? whole.minLength, whole.maximum ?? whole.maxLength, types[0] === 'string' ? ' characters' : '')}`
}

function range(least?: number, most?: number, unit = ''): string {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `, from ${least}${unit}`
  if (least === undefined) return `, up to ${most}${unit}`
  return `, ${least} to ${most}${unit}`
}

/** An example of a value, by the document or from its schema. */
export function exampleOf(schema: Schema, document: OpenApi, depth = 0): unknown {
  const whole = resolved(schema, document)
  if (whole.example !== undefined) return whole.example
  if (whole.properties) {
    const wanted = Object.entries(whole.properties).filter(([name, value]) => whole.required?.includes(name) || resolved(value, document).example !== undefined)
    return depth > 3 ? {} : Object.fromEntries(wanted.map(([name, value]) => [name, exampleOf(value, document, depth + 1)]))
  }
  if (whole.oneOf?.[0]) return exampleOf(whole.oneOf[0], document, depth + 1)
  if (whole.enum) return whole.enum[0]
  const type = [whole.type ?? []].flat()[0]
  if (type === 'array') return whole.items && depth < 4 ? [exampleOf(whole.items, document, depth + 1)] : []
  if (type === 'integer' || type === 'number') return whole.minimum ?? 0
  if (type === 'boolean') return true
  return type === 'object' ? {} : '…'
}
