// How the service is, at a glance.

import { getDisk, getNodes, getQueue, listFailures } from '../api/operator'
import type { Disk, Failures, Nodes, OperatorSession, Queue } from '../api/operator'
import { size, t } from '../messages'
import { operator as words } from '../messages/operator'
import { DiskPanel } from './disk-panel'
import { ago, count, moment } from './format'
import { Commands, State, Table, Updated } from './parts'
import { usePolled } from './polled'

const COMMANDS = `aerie admin nodes
aerie admin job list --status failed
aerie doctor

curl -s http://127.0.0.1:9464/readyz
curl -s http://127.0.0.1:9464/metrics`

export function OverviewScreen({ session }: { session: OperatorSession }) {
  const queue = usePolled(getQueue)
  const nodes = usePolled(getNodes)
  const disk = usePolled(getDisk)
  const failures = usePolled(() => listFailures({ limit: 100 }))
  return (
    <div class="page wide">
      <div class="heading">
        <h1>{words().overview}</h1>
        <span class="quiet small">{session.environment} · {session.version}</span>
        <span class="grow" />
        <Updated of={[queue, nodes, disk, failures]} />
      </div>
      <Figures queue={queue.value} nodes={nodes.value} disk={disk.value} failures={failures.value} />
      <div class="halves">
        <QueuePanel queue={queue.value} />
        <DiskPanel disk={disk.value} />
      </div>
      <NodesPanel nodes={nodes.value} />
      <LatestFailures failures={failures.value} />
      <Commands commands={COMMANDS} />
    </div>
  )
}

function Figures({ queue, nodes, disk, failures }: { queue?: Queue; nodes?: Nodes; disk?: Disk; failures?: Failures }) {
  const sum = (of: 'queued' | 'running') => queue?.kinds.reduce((sum, kind) => sum + kind[of], 0) ?? 0
  const oldest = queue?.kinds.flatMap((kind) => kind.oldest_queued_at ?? []).sort()[0]
  const workers = nodes?.nodes.filter((node) => node.role === 'worker') ?? []
  const live = workers.filter((node) => node.is_live).length
  return (
    <dl class="facts">
      <div>
        <dt>{words().health}</dt>
        <dd>{queue ? <State ok={queue.lacking.length === 0}>{queue.lacking.length === 0 ? words().ready : words().lacks(queue.lacking.map((check) => words().checks[check] ?? check).join(', '))}</State> : '…'}</dd>
      </div>
      <div><dt>{words().waiting}</dt><dd>{queue ? (oldest ? words().waitingOf(count(sum('queued')), ago(oldest)) : count(sum('queued'))) : '…'}</dd></div>
      <div><dt>{words().running}</dt><dd>{queue ? count(sum('running')) : '…'}</dd></div>
      <div><dt>{words().workers}</dt><dd>{nodes ? words().workersOf(live, workers.length - live) : '…'}</dd></div>
      <div><dt>{words().freeDisk}</dt><dd>{disk ? (disk.free === null ? words().inBucket : words().freeOf(size(disk.free), size(disk.total ?? 0))) : '…'}</dd></div>
      <div><dt>{words().failedDays}</dt><dd>{failures ? `${count(failures.failures.length)}${failures.next_offset === null ? '' : '+'}` : '…'}</dd></div>
    </dl>
  )
}

function QueuePanel({ queue }: { queue?: Queue }) {
  const unclaimed = queue?.kinds.filter((kind) => kind.queued > 0 && kind.workers === 0).map((kind) => t().kinds[kind.kind] ?? kind.kind) ?? []
  const isIdle = queue?.kinds.every((kind) => kind.queued + kind.running === 0)
  return (
    <section class="card">
      <h2>{words().queue}</h2>
      <Table name={words().queue} heads={[t().kind, { figure: words().waiting }, { figure: words().running }, words().oldest, { figure: words().workers }]}>
        {queue?.kinds.map((kind) => (
          <tr key={kind.kind}>
            <th scope="row">{t().kinds[kind.kind] ?? kind.kind}</th>
            <td class="figure">{count(kind.queued)}</td>
            <td class="figure">{count(kind.running)}</td>
            <td>{kind.oldest_queued_at ? <time dateTime={kind.oldest_queued_at} title={moment(kind.oldest_queued_at)}>{ago(kind.oldest_queued_at)}</time> : <span class="quiet">–</span>}</td>
            <td class="figure">{kind.workers > 0 ? count(kind.workers) : <span class={kind.queued > 0 ? 'error' : 'quiet'}>0</span>}</td>
          </tr>
        ))}
      </Table>
      {unclaimed.length > 0 && <p class="problem small" role="status">{words().noWorker(unclaimed.join(', '))}</p>}
      {isIdle && <p class="quiet small">{words().queueEmpty}</p>}
    </section>
  )
}

function NodesPanel({ nodes }: { nodes?: Nodes }) {
  const every = Object.keys(t().kinds).length
  const short = (pack: string) => pack.slice(0, 12)
  return (
    <section class="card">
      <h2>{words().nodes}</h2>
      {nodes?.nodes.length === 0 && <p class="quiet">{words().noNodes}</p>}
      {nodes && nodes.nodes.length > 0 && (
        <Table name={words().nodes} heads={[words().role, words().state, words().host, words().kinds, words().job, words().pack, words().version, words().seen]}>
          {nodes.nodes.map((node) => (
            <tr key={node.name}>
              <th scope="row">{words().roles[node.role] ?? node.role}</th>
              <td><State ok={node.is_live}>{node.is_live ? words().live : words().lost}</State></td>
              <td title={node.name}>{node.host}</td>
              <td>{node.role === 'worker' ? (node.kinds.length >= every ? words().allKinds : node.kinds.map((kind) => t().kinds[kind] ?? kind).join(', ')) : <span class="quiet">–</span>}</td>
              <td>{node.job_id ? <code>{node.job_id}</code> : <span class="quiet">{node.role === 'worker' ? words().idle : '–'}</span>}</td>
              <td>{node.pack ? <code title={node.pack}>{short(node.pack)}</code> : <span class="quiet">{node.role === 'worker' ? words().ownPack : '–'}</span>}</td>
              <td>{node.version}</td>
              <td><time dateTime={node.seen_at} title={moment(node.seen_at)}>{ago(node.seen_at)}</time></td>
            </tr>
          ))}
        </Table>
      )}
      {nodes?.current_pack && <p class="quiet small">{words().currentPack(short(nodes.current_pack))}</p>}
    </section>
  )
}

function LatestFailures({ failures }: { failures?: Failures }) {
  return (
    <section class="card">
      <div class="toolbar"><h2>{words().lastFailures}</h2><span class="grow" /><a href="#/failures">{words().allFailures}</a></div>
      {failures?.failures.length === 0 && <p class="quiet">{words().noFailures}</p>}
      {failures && failures.failures.length > 0 && (
        <Table name={words().lastFailures} isStacked heads={[words().when, t().kind, words().organization, words().reason]}>
          {failures.failures.slice(0, 5).map((failure) => (
            <tr key={failure.job_id}>
              <td><time dateTime={failure.failed_at} title={moment(failure.failed_at)}>{ago(failure.failed_at)}</time></td>
              <td>{t().kinds[failure.job_type] ?? failure.job_type}</td>
              <td class="name"><a href={`#/organizations/${failure.organization_id}`}>{failure.organization}</a></td>
              <td class="message"><code>{failure.code}</code> {failure.message}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
