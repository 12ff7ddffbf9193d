/** How fresh and how certain what is known is, what is not and why, the runs of the indexers, and the tools of this machine. */

import './health.css';
import type { ComponentChildren, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { askDoctor, type Doctor, runIndexers } from '../ask.ts';
import { freshness } from '../parts/freshness.ts';
import { ago, Path, plural, Shown } from '../parts/shown.tsx';
import { ProblemState, State, Waiting } from '../parts/state.tsx';
import { Problem } from '../session.ts';
import type { RoomProps, Status } from '../shell.tsx';
import { useAnswer } from '../use.ts';

/** Shapes as well as colours, as those of `freshness`. */
const certainty = {
  resolved: { says: 'by compilers', means: 'names are bound by an indexer', shape: '●', tone: 'good' },
  syntactic: { says: 'by syntax', means: 'declarations, imports and scopes', shape: '◐', tone: 'accent' },
  text: { says: 'as text', means: 'searched, not parsed', shape: '○', tone: 'faint' },
  name_only: { says: 'by name only', means: 'binary, too large, or holds secrets', shape: '·', tone: 'line' },
} as const;

export default function HealthRoom({ status }: RoomProps): VNode {
  const { value, problem, again } = status;
  if (value === undefined)
    return problem === undefined ? (
      <Waiting says="Looking at the index" />
    ) : (
      <ProblemState problem={problem} again={again} />
    );
  if (value.files.present === 0)
    return (
      <State title="The index is empty">
        <p>No file is in scope. Add files, or look whether an ignore rule leaves everything out.</p>
      </State>
    );
  return <Health status={value} again={again} />;
}

function Health({ status, again }: { readonly status: Status; readonly again: () => void }): VNode {
  const { semantic, files, store } = status;
  return (
    <div class="health">
      <div class="heading">
        <div>
          <h1>The index</h1>
          <p class="quiet">
            {plural(files.present, 'file')} in scope · {plural(status.symbols, 'symbol')} ·{' '}
            {plural(status.imports, 'import')}
            {semantic.occurrences > 0 ? ` · ${plural(semantic.occurrences, 'resolved occurrence')}` : ''}
          </p>
        </div>
        <Runs semantic={semantic} again={again} />
      </div>
      <dl class="pairs health-pairs">
        <Pair name="Disk">
          {status.unverified ??
            (status.differing === 0
              ? 'compared now: nothing differs'
              : `${plural(status.differing, 'file')} not yet indexed`)}
        </Pair>
        <Pair name="Watcher">
          {status.watch === 'ok'
            ? 'on'
            : status.watch === 'off'
              ? 'off: every question compares with the disk itself'
              : 'degraded: changes are found by looking every 10 s'}
        </Pair>
        <Pair name="Written">
          {status.last_written === null ? (
            'unknown'
          ) : (
            <time dateTime={status.last_written} title={status.last_written}>
              {ago(status.last_written)}
            </time>
          )}{' '}
          · generation {status.generation}
        </Pair>
        <Pair name="Size">{store.bytes === null ? 'unknown' : `${(store.bytes / 1024 / 1024).toFixed(1)} MiB`}</Pair>
      </dl>
      <Strip title="How fresh" words={freshness} counts={semantic.files.by_freshness} />
      <Strip title="How certain" words={certainty} counts={status.certainty} />
      <section>
        <h2>Projects that compilers read</h2>
        {semantic.contexts.length === 0 ? (
          <p class="quiet">No project was found that an indexer could read: every answer is by syntax.</p>
        ) : (
          <Table head={['Project', 'Indexer', 'Files', 'Clean', 'State']}>
            {semantic.contexts.map((context) => (
              <tr key={context.key}>
                <th scope="row">
                  <code>
                    <Shown text={context.key} />
                  </code>
                </th>
                <td>{context.indexer}</td>
                <td class="figure">{context.files.toLocaleString('en')}</td>
                <td class="figure">{context.by_freshness.clean.toLocaleString('en')}</td>
                <td>
                  <Job context={context} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        {semantic.problems.map((problem) => (
          <p key={problem} class="notice">
            <Shown text={problem} />
          </p>
        ))}
      </section>
      {semantic.unsettled.length === 0 ? null : (
        <section>
          <h2>Not clean, and why</h2>
          <ul class="unsettled">
            {semantic.unsettled.map(({ path, freshness: state, why }) => (
              <li key={path}>
                <span class={`tone-${freshness[state].tone}`} aria-hidden="true">
                  {freshness[state].shape}
                </span>
                <Path path={path} />
                <span class="quiet">
                  {freshness[state].says}
                  {why === null ? (
                    ''
                  ) : (
                    <>
                      : <Shown text={why} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {semantic.unsettled_count > semantic.unsettled.length ? (
            <p class="quiet">and {plural(semantic.unsettled_count - semantic.unsettled.length, 'more file')}</p>
          ) : null}
        </section>
      )}
      <section>
        <h2>Languages</h2>
        <Table head={['Language', 'Files', 'Parsed', 'With errors', 'As text', 'Name only']}>
          {status.languages.map((row) => (
            <tr key={row.language ?? ''}>
              <th scope="row">{row.language ?? 'other'}</th>
              {[row.files, row.ok, row.errors + row.failed, row.text_only + row.too_large, row.skipped].map(
                (count, at) => (
                  <td key={['files', 'ok', 'errors', 'text', 'skipped'][at]} class="figure">
                    {count === 0 ? <span class="quiet">·</span> : count.toLocaleString('en')}
                  </td>
                ),
              )}
            </tr>
          ))}
        </Table>
      </section>
      <Tools />
    </div>
  );
}

function Strip<K extends string>({
  title,
  words,
  counts,
}: {
  readonly title: string;
  readonly words: Readonly<
    Record<K, { readonly says: string; readonly means: string; readonly shape: string; readonly tone: string }>
  >;
  readonly counts: Readonly<Record<K, number>>;
}): VNode {
  const parts = (Object.keys(words) as K[])
    .map((name) => ({ name, count: counts[name], ...words[name] }))
    .filter(({ count }) => count > 0);
  const sum = Math.max(
    1,
    parts.reduce((total, { count }) => total + count, 0),
  );
  return (
    <section>
      <h2>{title}</h2>
      <svg class="strip" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {parts.map(({ name, tone }, at) => {
          const before = parts.slice(0, at).reduce((total, { count }) => total + count, 0);
          const width = Math.max(2, ((parts[at]?.count ?? 0) / sum) * 1000 - 2);
          return <rect key={name} class={`fill-${tone}`} x={(before / sum) * 1000} y="0" width={width} height="14" />;
        })}
      </svg>
      <ul class="legend">
        {parts.map(({ name, says, means, shape, tone, count }) => (
          <li key={name} title={means}>
            <span class={`tone-${tone}`} aria-hidden="true">
              {shape}
            </span>{' '}
            <strong>{count.toLocaleString('en')}</strong> {says}
            <span class="quiet"> – {means}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Job({
  context: { probe, detail, job, last_job: last },
}: {
  readonly context: Status['semantic']['contexts'][number];
}): VNode {
  if (probe !== 'ok')
    return (
      <span class="tone-warn">
        {probe.replaceAll('_', ' ')}
        {detail === null ? (
          ''
        ) : (
          <span class="quiet">
            {' '}
            – <Shown text={detail} />
          </span>
        )}
      </span>
    );
  if (job === 'running') return <span class="badge proving">running</span>;
  if (job === 'queued') return <span class="quiet">waits for its turn</span>;
  if (last === null) return <span class="quiet">has not run yet</span>;
  return (
    <span>
      {last.status} {ago(last.finished_at)}
      {last.seconds === null ? '' : ` in ${last.seconds.toFixed(1)} s`}
      {last.failure === null ? (
        ''
      ) : (
        <span class="tone-bad">
          {' '}
          – {last.failure.replaceAll('_', ' ')}
          {last.detail === null ? (
            ''
          ) : (
            <>
              : <Shown text={last.detail.slice(0, 300)} />
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** Asks for a run of what is not up to date; who stops waiting stops what only they wait for. */
function Runs({
  semantic,
  again,
}: {
  readonly semantic: Status['semantic'];
  readonly again: () => void;
}): VNode | null {
  const [says, setSays] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  if (semantic.contexts.length === 0) return null;
  const start = () => {
    const run = new AbortController();
    stop.current = run;
    setSays('starting');
    setProblem(undefined);
    runIndexers((line) => setSays(line), run.signal)
      .then(
        again,
        (error: unknown) => run.signal.aborted || setProblem(error instanceof Problem ? error.message : String(error)),
      )
      .finally(() => setSays(undefined));
  };
  return (
    <div class="runs">
      {says === undefined ? (
        <button type="button" onClick={start}>
          Run the indexers
        </button>
      ) : (
        <>
          <span role="status">
            <span class="spinner" aria-hidden="true" /> <Shown text={says} />
          </span>
          <button type="button" onClick={() => stop.current?.abort()}>
            Stop
          </button>
        </>
      )}
      {problem === undefined ? null : (
        <p role="alert" class="notice">
          <Shown text={problem} />
        </p>
      )}
    </div>
  );
}

function Tools(): VNode {
  const doctor = useAnswer<Doctor>('doctor', askDoctor);
  if (doctor.value === undefined)
    return (
      <section>
        <h2>Tools of this machine</h2>
        {doctor.problem === undefined ? (
          <Waiting says="Looking at the tools" />
        ) : (
          <ProblemState problem={doctor.problem} again={doctor.again} />
        )}
      </section>
    );
  const { runtime, tools, data, install } = doctor.value;
  const lacking = tools.filter(({ needed, path }) => needed && path === null);
  const findings = [...runtime, ...data].filter(({ level }) => level !== 'ok');
  return (
    <section>
      <h2>Tools of this machine</h2>
      {findings.map(({ what, remedy, level }) => (
        <p key={what} class="notice">
          {level === 'problem' ? <strong>Problem: </strong> : null}
          <Shown text={what} />
          {remedy === null ? (
            ''
          ) : (
            <>
              {' '}
              – <Shown text={remedy} />
            </>
          )}
        </p>
      ))}
      {lacking.length === 0 ? (
        <p class="quiet">Nothing that this repository could use is missing.</p>
      ) : (
        <Table head={['Missing', 'What it would give', 'How to get it']}>
          {lacking.map(({ name, gives, remedy }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Shown text={gives ?? ''} />
              </td>
              <td>
                <Shown text={remedy ?? ''} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {install === null ? null : (
        <p>
          In one go:{' '}
          <code class="command">
            <Shown text={install.command} />
          </code>
        </p>
      )}
      <details class="tools">
        <summary>{plural(tools.filter(({ path }) => path !== null).length, 'tool')} found</summary>
        <ul>
          {tools.flatMap(({ name, version, path }) =>
            path === null
              ? []
              : [
                  <li key={name}>
                    {name}{' '}
                    <span class="quiet">
                      <Shown text={version} /> · <Shown text={path} />
                    </span>
                  </li>,
                ],
          )}
        </ul>
      </details>
    </section>
  );
}

function Table({ head, children }: { readonly head: readonly string[]; readonly children: ComponentChildren }): VNode {
  return (
    // A table that is wider than the window scrolls, and is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="table" tabIndex={0} aria-label={head[0] ?? ''}>
      <table>
        <thead>
          <tr>
            {head.map((one) => (
              <th key={one} scope="col">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
