// What `aerie doctor` finds on the server.

import { getDoctor, runDoctor } from '../api/operator'
import { operator as words } from '../messages/operator'
import { sayError } from '../notices'
import { moment } from './format'
import { Commands, State, Table, Updated } from './parts'
import { usePolled } from './polled'

export function DoctorScreen() {
  const run = usePolled(getDoctor, '', 1500)
  const last = run.value
  const isRunning = last?.status === 'running'
  const bad = last?.findings.filter((finding) => !finding.ok).length ?? 0
  const start = () => { runDoctor().then(run.reload, sayError) }
  return (
    <div class="page">
      <div class="heading">
        <h1>{words().doctor}</h1>
        <span class="grow" />
        <Updated of={[run]} />
        <button class="primary" type="button" disabled={isRunning} onClick={start}>{isRunning ? words().checking : last ? words().runAgain : words().run}</button>
      </div>
      <p class="quiet">{words().doctorHint}</p>
      {last === null && <section class="teach"><h2>{words().neverRun}</h2><p class="quiet">{words().neverRunHint}</p></section>}
      {last && (
        <section class="card">
          <div class="toolbar" role="status">
            {last.status === 'stopped' && <p class="problem">{words().stopped(last.limit_seconds)}</p>}
            {isRunning && <p class="row"><span class="dot" />{words().checking}</p>}
            {last.status === 'ended' && <State ok={last.ok}>{last.ok ? words().allGood : words().someBad(bad)}</State>}
            <span class="grow" />
            <span class="quiet small">{words().started(moment(last.started_at))}</span>
          </div>
          <Table name={words().doctor} heads={[words().check, words().found]}>
            {last.findings.map((finding, at) => (
              <tr key={at}>
                <th scope="row"><State ok={finding.ok}>{finding.what}<span class="hidden"> {finding.ok ? words().good : words().bad}</span></State></th>
                <td class="message">{finding.found}{finding.remedy && <p class={finding.ok ? 'quiet' : 'error'}>→ {finding.remedy}</p>}</td>
              </tr>
            ))}
          </Table>
        </section>
      )}
      <Commands commands="aerie doctor" />
    </div>
  )
}
