// Jobs that failed, with their reasons and inputs.

import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { listFailures, listOrganizations } from '../api/operator'
import type { Failure, Failures } from '../api/operator'
import { t } from '../messages'
import { operator as words } from '../messages/operator'
import { sayError } from '../notices'
import { Icon } from '../parts/icon'
import { go } from '../route'
import { ago, count, moment } from './format'
import { Commands, Table, Updated } from './parts'
import { usePolled } from './polled'

const PAGE = 50

export function FailuresScreen({ organization }: { organization: string }) {
  const [kind, setKind] = useState('')
  const [code, setCode] = useState('')
  const [older, setOlder] = useState<{ of: string; pages: Failures[] }>({ of: '', pages: [] })
  const [open, setOpen] = useState('')
  const of = `${organization} ${kind}`
  const organizations = usePolled(() => listOrganizations('', 100), '', 60_000)
  const newest = usePolled(() => listFailures({ organization, kind, limit: PAGE }), of)
  const pages = older.of === of ? older.pages : []
  const last = pages[pages.length - 1] ?? newest.value
  // Jobs that failed since may have moved others to the next page.
  const all = new Map([newest.value, ...pages].flatMap((page) => page?.failures ?? []).map((failure) => [failure.job_id, failure]))
  const codes = new Map<string, number>()
  for (const failure of all.values()) codes.set(failure.code, (codes.get(failure.code) ?? 0) + 1)
  const shown = [...all.values()].filter((failure) => !code || failure.code === code)
  const more = async () => {
    try {
      const next = await listFailures({ organization, kind, limit: PAGE, offset: last?.next_offset ?? 0 })
      setOlder({ of, pages: [...pages, next] })
    } catch (error) {
      sayError(error)
    }
  }
  const isFiltered = Boolean(kind || organization || code)
  return (
    <div class="page wide">
      <div class="heading"><h1>{words().failures}</h1><span class="grow" /><Updated of={[newest]} /></div>
      <p class="quiet">{words().failuresHint}</p>
      <div class="row">
        <label class="filter"><span class="quiet small">{t().kind}</span>
          <select value={kind} onChange={(event) => { setKind(event.currentTarget.value); setCode('') }}>
            <option value="">{words().all}</option>
            {Object.entries(t().kinds).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <label class="filter"><span class="quiet small">{words().organization}</span>
          <select value={organization} onChange={(event) => go(event.currentTarget.value ? `/failures?organization=${event.currentTarget.value}` : '/failures')}>
            <option value="">{words().all}</option>
            {organizations.value?.data.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
        {codes.size > 0 && (
          <fieldset class="chips">
            <legend class="hidden">{words().byReason}</legend>
            {[['', all.size] as const, ...codes].map(([value, jobs]) => (
              <label key={value} class="chip"><input type="radio" name="code" checked={code === value} onChange={() => setCode(value)} /><span>{value || words().all} {count(jobs)}</span></label>
            ))}
          </fieldset>
        )}
      </div>
      {newest.value && shown.length === 0 && (isFiltered ? <p class="quiet">{words().noFailuresFiltered}</p> : (
        <section class="teach"><h2>{words().noFailures}</h2><p class="quiet">{words().noFailuresHint}</p></section>
      ))}
      {shown.length > 0 && (
        <Table name={words().failures} isStacked heads={[words().when, t().kind, words().organization, words().reason]}>
          {shown.map((failure) => (
            <Fragment key={failure.job_id}>
              <tr>
                <td class="opens">
                  <button
                    type="button" class="plain" aria-expanded={open === failure.job_id} aria-label={`${ago(failure.failed_at)}: ${words().details(failure.code)}`}
                    onClick={() => setOpen(open === failure.job_id ? '' : failure.job_id)}
                  >
                    <Icon name={open === failure.job_id ? 'down' : 'right'} /><time dateTime={failure.failed_at} title={moment(failure.failed_at)}>{ago(failure.failed_at)}</time>
                  </button>
                </td>
                <td>{t().kinds[failure.job_type] ?? failure.job_type}</td>
                <td class="name"><a href={`#/organizations/${failure.organization_id}`}>{failure.organization}</a></td>
                <td class="message"><code>{failure.code}</code> {failure.message}</td>
              </tr>
              {open === failure.job_id && <tr class="details"><td colSpan={4}><Details failure={failure} /></td></tr>}
            </Fragment>
          ))}
        </Table>
      )}
      {last && last.next_offset !== null && <button type="button" onClick={() => void more()}>{words().more}</button>}
      <Commands commands={`aerie admin job list --status failed${organization ? ` --org ${organization}` : ''}\naerie admin job show JOB_ID`} />
    </div>
  )
}

function Details({ failure }: { failure: Failure }) {
  return (
    <div class="stack">
      <dl class="lines">
        <div><dt>{words().job}</dt><dd><code>{failure.job_id}</code></dd></div>
        <div><dt>{words().request}</dt><dd><code>{failure.request_id}</code></dd></div>
        <div><dt>{words().created}</dt><dd>{moment(failure.created_at)}</dd></div>
        <div><dt>{words().attempts}</dt><dd>{failure.attempts}</dd></div>
      </dl>
      <h3>{words().input}</h3>
      <pre tabIndex={0}><code>{JSON.stringify(failure.input, null, 2)}</code></pre>
      <p class="quiet small">{words().inputHint} {failure.omitted.length > 0 && words().omitted(failure.omitted.join(', '))}</p>
      <pre tabIndex={0}><code>{`aerie admin job show ${failure.job_id}\naerie admin job retry ${failure.job_id}`}</code></pre>
    </div>
  )
}
