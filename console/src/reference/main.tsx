// The reference of the API, from the OpenAPI document of this server.

import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { reference } from '../messages/reference'
import { language } from '../messages/catalog'
import { Icon } from '../parts/icon'
import '../style.css'
import '../theme'
import { CallSection, Words } from './call'
import { byTag } from './openapi'
import type { OpenApi } from './openapi'
import './reference.css'

function Reference() {
  const [found, setFound] = useState<OpenApi | 'failed' | null>(null)
  const [words, setWords] = useState('')
  useEffect(() => {
    document.documentElement.lang = language.value
    document.title = `${reference().title} · Aerie`
    fetch('../openapi.json').then(async (response) => setFound(response.ok ? await response.json() : 'failed'), () => setFound('failed'))
  }, [])
  const tags = useMemo(() => {
    if (!found || found === 'failed') return []
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
    const has = (text: string) => wanted.every((word) => text.toLowerCase().includes(word))
    return byTag(found)
      .map(([tag, calls]) => [tag, calls.filter(({ path, method, operation }) => has(`${tag} ${method} ${path} ${operation.summary} ${operation.description ?? ''}`))] as const)
      .filter(([, calls]) => calls.length > 0)
  }, [found, words])
  // The part of the address after `#` names a call, which is only here now.
  useEffect(() => { if (found) document.getElementById(location.hash.slice(1))?.scrollIntoView() }, [found])
  return (
    <>
      <header class="top">
        <a class="brand" href="./"><Icon name="mark" /><span>Aerie</span></a>
        <nav aria-label={reference().title}>
          <a href="./" aria-current="page">{reference().title}</a>
          <a href="../openapi.json">{reference().document}</a>
        </nav>
      </header>
      {found === 'failed' && <main class="center"><p role="alert">{reference().failed}</p></main>}
      {found && found !== 'failed' && (
        <div class="reference">
          <nav class="calls" aria-label={reference().calls}>
            <label class="field"><span>{reference().find}</span><input type="search" value={words} onInput={(event) => setWords(event.currentTarget.value)} /></label>
            {tags.length === 0 && <p class="quiet">{reference().none}</p>}
            {tags.map(([tag, calls]) => (
              <div key={tag}>
                <p class="quiet small">{tag}</p>
                <ul>{calls.map(({ method, operation }) => <li key={operation.operationId}><a href={`#${operation.operationId}`}><span class={`method ${method.toLowerCase()}`}>{method}</span>{operation.summary}</a></li>)}</ul>
              </div>
            ))}
          </nav>
          <main class="stack">
            <div class="heading"><h1>{found.info.title} {found.info.version}</h1></div>
            <p><Words>{found.info.description}</Words></p>
            <p class="quiet">{reference().hint}</p>
            {tags.map(([tag, calls]) => (
              <section key={tag} class="stack" aria-label={tag}>
                <h2>{tag}</h2>
                {calls.map((call) => <CallSection key={call.operation.operationId} call={call} document={found} />)}
              </section>
            ))}
          </main>
        </div>
      )}
    </>
  )
}

const place = document.getElementById('app')
if (place) render(<Reference />, place)
