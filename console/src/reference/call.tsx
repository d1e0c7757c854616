// One call of the API: what it takes, what it answers, and the `curl` that makes it.

import { useState } from 'preact/hooks'
import { reference } from '../messages/reference'
import { exampleOf, kindOf, resolved } from './openapi'
import type { Call, Content, OpenApi, Schema } from './openapi'

/** Text with code between backticks. */
export function Words({ children }: { children: string }) {
  return <>{children.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
}

export function CallSection({ call: { path, method, operation }, document }: { call: Call; document: OpenApi }) {
  const body = Object.entries(operation.requestBody?.content ?? {})[0]
  const parameters = operation.parameters ?? []
  return (
    <section class="call card" id={operation.operationId} aria-labelledby={`${operation.operationId}-title`}>
      <h3 id={`${operation.operationId}-title`}><span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code></h3>
      <p><strong>{operation.summary}.</strong> {operation.description && <Words>{operation.description}</Words>}</p>
      {parameters.length > 0 && (
        <Fields title={reference().parameters} rows={parameters.map((one) => ({
          name: one.name, place: one.in, isRequired: one.required ?? false, kind: one.schema ? kindOf(one.schema, document) : '', text: one.description ?? '',
        }))} />
      )}
      {body?.[1].schema && <BodyFields type={body[0]} content={body[1]} document={document} />}
      <h4>{reference().request}</h4>
      <pre tabIndex={0}><code>{curl({ path, method, operation }, document)}</code></pre>
      <h4>{reference().responses}</h4>
      <ul class="responses">
        {Object.entries(operation.responses).map(([status, response]) => (
          <li key={status}><Response status={status} description={response.description} content={Object.entries(response.content ?? {})[0]} document={document} /></li>
        ))}
      </ul>
    </section>
  )
}

interface Row { name: string; place?: string; isRequired: boolean; kind: string; text: string }

function Fields({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <>
      <h4>{title}</h4>
      <dl class="fields">
        {rows.map((row) => (
          <div key={`${row.place}${row.name}`}>
            <dt><code>{row.name}</code>{row.place && <span class="quiet small"> {row.place}</span>}{row.isRequired && <span class="needed small"> {reference().required}</span>}</dt>
            <dd><span class="quiet small">{row.kind}</span>{row.text && <span><Words>{row.text}</Words></span>}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const DEEPEST = 4

/** The members of a body, those of objects within it by their paths. */
function rowsOf(schema: Schema, document: OpenApi, before = '', depth = 0): Row[] {
  const whole = resolved(schema, document)
  return Object.entries(whole.properties ?? {}).flatMap(([name, value]) => {
    const path = before + name
    const inner = resolved(value, document)
    const own: Row = { name: path, isRequired: whole.required?.includes(name) ?? false, kind: kindOf(value, document), text: inner.description ?? '' }
    const within = inner.properties ? inner : inner.items && resolved(inner.items, document).properties ? inner.items : undefined
    const more = within && depth < DEEPEST ? rowsOf(within, document, `${path}${inner.items ? '[]' : ''}.`, depth + 1) : []
    return [own, ...more]
  })
}

function BodyFields({ type, content, document }: { type: string; content: Content; document: OpenApi }) {
  const rows = content.schema ? rowsOf(content.schema, document) : []
  return rows.length > 0 ? <Fields title={reference().body(type)} rows={rows} /> : <><h4>{reference().body(type)}</h4><p class="quiet">{reference().bytes}</p></>
}

function Response({ status, description, content, document }: { status: string; description: string; content?: [string, Content]; document: OpenApi }) {
  const [isOpen, setOpen] = useState(false)
  if (!content || !/json/.test(content[0])) return <p><span class="status">{status}</span> <Words>{description}</Words>{content && <span class="quiet small"> {content[0]}</span>}</p>
  const example = content[1].example ?? Object.values(content[1].examples ?? {})[0]?.value ?? (content[1].schema && exampleOf(content[1].schema, document))
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><span class="status">{status}</span> <Words>{description}</Words></summary>
      {isOpen && <pre tabIndex={0}><code>{JSON.stringify(example, null, 2)}</code></pre>}
    </details>
  )
}

function curl({ path, method, operation }: Call, document: OpenApi): string {
  const needed = (operation.parameters ?? []).filter((one) => one.required && one.in === 'query').map((one) => `${one.name}=${String(one.schema?.example ?? '…')}`)
  const address = `"$BASE${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`)}${needed.length > 0 ? `?${needed.join('&')}` : ''}"`
  const lines = [`curl -s${method === 'GET' ? '' : ` -X ${method}`} ${address}`]
  if (operation.security?.length) lines.push('-H "X-API-Key: $KEY"')
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type && content?.schema && /json/.test(type)) {
    lines.push(`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(exampleOf(content.schema, document), null, 2).replaceAll("'", "'\\''")}'`)
  } else if (type) {
    lines.push(`-H "Content-Type: ${type}"`, '--data-binary @FILE')
  }
  return lines.join(' \\\n  ')
}
