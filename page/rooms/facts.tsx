/** What is known of the repository and of each part: every fact opens its evidence, the file at that line and beside it the reason. */

import './facts.css';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { askFacts, type Fact, type Facts, gather } from '../ask.ts';
import { Excerpt } from '../parts/code.tsx';
import { Icon } from '../parts/icon.tsx';
import { ago, Path, plural, Shown } from '../parts/shown.tsx';
import { ProblemState, State, Waiting } from '../parts/state.tsx';
import { Problem } from '../session.ts';
import type { RoomProps } from '../shell.tsx';
import { addressWith, go, useAnswer } from '../use.ts';

/** In this order; an id that none names stands under its first word. */
const groups: readonly (readonly [title: string, fits: RegExp])[] = [
  ['How it is worked on', /^(?:install|build|start|validation)\.|\.command$|^test\.(?:unit|e2e)/],
  [
    'What it is',
    /^(?:language|framework|package_manager|runtime|licence|components|monorepo|entrypoint|public_api|contract|lockfile|manifest)/,
  ],
  ['Tests', /^test\./],
  ['How it is checked and shipped', /^(?:ci|docker|deploy)/],
  ['Services', /^service/],
  ['What to be careful with', /^(?:secrets|dynamic_code|generated_code|owners)/],
];
const order = [
  'install.command',
  'build.command',
  'start.command',
  'test.unit.command',
  'test.e2e.command',
  'typecheck.command',
  'lint.command',
  'format_check.command',
  'validation.safe',
  'language.primary',
  'language.secondary',
  'framework.production',
  'package_manager',
  'runtime.pin',
  'licence',
];

const labels: Readonly<Record<string, string>> = {
  'install.command': 'Install',
  'build.command': 'Build',
  'start.command': 'Start',
  'test.unit.command': 'Unit tests',
  'test.e2e.command': 'End-to-end tests',
  'lint.command': 'Lint',
  'format_check.command': 'Check formatting',
  'typecheck.command': 'Check types',
  'validation.safe': 'Before a change is sent',
  'language.primary': 'Language',
  'language.secondary': 'Other languages',
  'framework.production': 'Frameworks',
  'runtime.pin': 'Runtime',
  'ci.provider': 'Continuous integration',
  'ci.test_command': 'Tests in CI',
  'ci.matrix': 'CI matrix',
  'entrypoint.production': 'Entry point',
  'public_api.entry': 'What others import',
  'contract.surface': 'What others call',
  'monorepo.packages': 'Packages',
  'secrets.real': 'Credentials in the tree',
  dynamic_code: 'Code run from strings',
  generated_code: 'Generated files',
  'deploy.kind': 'Deployed by',
  'docker.final_base': 'Base image',
};

const mostRows = 400;

export default function FactsRoom({ query, status }: RoomProps): VNode {
  const facts = useAnswer('facts', askFacts, ['gather', 'reconcile']);
  const gathering = useGather(facts.again);
  const scope = query.get('scope') ?? '.';
  const { value, problem } = facts;
  if (value === undefined) {
    if (gathering.lines !== undefined) return <Gathering lines={gathering.lines} />;
    if (problem?.outcome === 'no_context' || problem?.outcome === 'broken_context') {
      const isEmpty = status.value?.files.present === 0;
      return (
        <State
          title={isEmpty ? 'This repository is empty' : 'Nothing was gathered yet'}
          action={{ says: 'Gather the facts', act: gathering.start }}
        >
          <p>
            {isEmpty
              ? 'No file is in scope: there is nothing to know yet. Add files, or look whether an ignore rule leaves everything out.'
              : 'A gather reads manifests, CI, containers, tests and conventions, and states what it finds with the line that shows it. It writes nothing but .codegenie/.'}
          </p>
          {gathering.failure === undefined ? null : <p role="alert">{gathering.failure}</p>}
        </State>
      );
    }
    return problem === undefined ? (
      <Waiting says="Reading the facts" />
    ) : (
      <ProblemState problem={problem} again={facts.again} />
    );
  }
  return <Gathered facts={value} scope={scope} open={query.get('fact')} gathering={gathering} />;
}

type Gather = {
  readonly start: () => void;
  /** Undefined while none runs here. */
  readonly lines: readonly string[] | undefined;
  readonly failure: string | undefined;
};

function useGather(done: () => void): Gather {
  const [lines, setLines] = useState<readonly string[]>();
  const [failure, setFailure] = useState<string>();
  return {
    lines,
    failure,
    start() {
      setLines([]);
      setFailure(undefined);
      gather(({ progress }) => {
        const { probe, status } = progress ?? {};
        if (probe !== undefined && status !== 'started') setLines((before = []) => [...before, probe]);
      })
        .then(done, (error: unknown) => setFailure(error instanceof Problem ? error.message : String(error)))
        .finally(() => setLines(undefined));
    },
  };
}

function Gathering({ lines }: { readonly lines: readonly string[] }): VNode {
  return (
    <State title="Gathering the facts">
      <p class="quiet">
        {plural(lines.length, 'probe')} done{lines.length === 0 ? '' : ` · ${lines.at(-1)?.replaceAll('_', ' ')}`}
      </p>
      <progress aria-label="Gathering the facts" />
    </State>
  );
}

function Gathered({
  facts,
  scope,
  open,
  gathering,
}: {
  readonly facts: Facts;
  readonly scope: string;
  readonly open: string | null;
  readonly gathering: Gather;
}): VNode {
  const scopes = useMemo(() => listScopes(facts), [facts]);
  const [filter, setFilter] = useState('');
  const own = useMemo(() => facts.facts.filter((fact) => fact.scope === scope), [facts, scope]);
  const opened = own.find((fact) => fact.id === open);
  const shownScopes = scopes.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <div class={`facts ${opened === undefined ? '' : 'with-aside'}`}>
      <div class="scopes">
        <label class="field">
          <span class="sr">Filter the parts</span>
          <input
            type="search"
            placeholder={`Filter ${scopes.length.toLocaleString('en')} parts`}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <nav aria-label="Parts of the repository" class="scope-list">
          {shownScopes.slice(0, mostRows).map(({ name, count, isStale }) => (
            <a
              key={name}
              href={name === '.' ? '/facts' : `/facts?${new URLSearchParams({ scope: name })}`}
              aria-current={name === scope ? 'true' : undefined}
            >
              {name === '.' ? <span class="path-name">The repository</span> : <Path path={name} />}
              {isStale ? <StaleDot /> : null}
              <span class="count">{count}</span>
            </a>
          ))}
          {shownScopes.length > mostRows ? (
            <p class="quiet">{plural(shownScopes.length - mostRows, 'more part')}: filter to see them.</p>
          ) : null}
        </nav>
        <label class="field scope-choice">
          <span class="sr">Part of the repository</span>
          <select
            value={scope}
            onChange={(event) =>
              go(
                event.currentTarget.value === '.'
                  ? '/facts'
                  : `/facts?${new URLSearchParams({ scope: event.currentTarget.value })}`,
              )
            }
          >
            {scopes.slice(0, 2_000).map(({ name, count }) => (
              <option key={name} value={name}>
                {name === '.' ? 'The repository' : name} · {count}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="facts-list">
        <Heading facts={facts} scope={scope} gathering={gathering} />
        {own.length === 0 ? (
          <State title="Nothing was stated of this part">
            <p>
              No fact has the scope{' '}
              <code>
                <Shown text={scope} />
              </code>
              . <a href="/facts">See the repository as a whole.</a>
            </p>
          </State>
        ) : (
          groupFacts(own).map(([title, members]) => (
            <section key={title} class="fact-group">
              <h2>{title}</h2>
              <ul>
                {members.map((fact) => (
                  <li key={fact.id}>
                    <Row fact={fact} isOpen={fact === opened} />
                  </li>
                ))}
              </ul>
            </section>
          ))
        )}
      </div>
      {opened === undefined ? null : <Evidence key={`${opened.id} ${opened.scope}`} fact={opened} />}
    </div>
  );
}

function Heading({
  facts,
  scope,
  gathering,
}: {
  readonly facts: Facts;
  readonly scope: string;
  readonly gathering: Gather;
}): VNode {
  const { since, gathered_at: at } = facts;
  return (
    <div class="heading">
      <div>
        <h1>{scope === '.' ? 'The repository' : <Shown text={scope} />}</h1>
        <p class="quiet">
          Gathered{' '}
          {at === null ? (
            'at an unknown time'
          ) : (
            <time dateTime={at} title={at}>
              {ago(at)}
            </time>
          )}
          {since === null ? ' · nothing that it was made from has changed' : null}
        </p>
      </div>
      <button type="button" onClick={gathering.start} disabled={gathering.lines !== undefined}>
        <Icon name="again" />
        {gathering.lines === undefined ? 'Gather again' : `${plural(gathering.lines.length, 'probe')} done`}
      </button>
      {since === null ? null : (
        <p class="notice">
          <StaleDot /> <Shown text={since.says} />. Facts it touches are marked.
        </p>
      )}
      {gathering.failure === undefined ? null : (
        <p class="notice" role="alert">
          {gathering.failure}
        </p>
      )}
    </div>
  );
}

function StaleDot(): VNode {
  return (
    <span class="stale" role="img" aria-label="changed since the gather" title="changed since the gather">
      △
    </span>
  );
}

function Row({ fact, isOpen }: { readonly fact: Fact; readonly isOpen: boolean }): VNode {
  return (
    <a class="fact" href={addressWith({ fact: isOpen ? '' : fact.id })} aria-current={isOpen ? 'true' : undefined}>
      <span class="fact-label">{labelOf(fact.id)}</span>
      <span class="fact-value">
        <Value fact={fact} most={4} />
      </span>
      <span class="fact-marks">
        {fact.stale === undefined ? null : <StaleDot />}
        <Confidence fact={fact} />
      </span>
    </a>
  );
}

function Confidence({ fact: { confidence, state } }: { readonly fact: Fact }): VNode {
  const level = confidence === 'high' ? 3 : confidence === 'medium' ? 2 : confidence === 'low' ? 1 : 0;
  const says = confidence === null ? state.replace('_', ' ') : `${confidence} confidence`;
  return (
    <span class={`confidence level-${level}`} title={says}>
      <span aria-hidden="true">
        <i class={level > 0 ? 'on' : ''} />
        <i class={level > 1 ? 'on' : ''} />
        <i class={level > 2 ? 'on' : ''} />
      </span>
      <span class="confidence-word">{confidence ?? '–'}</span>
    </span>
  );
}

function Value({ fact, most }: { readonly fact: Fact; readonly most: number }): VNode {
  if (fact.state === 'none') return <span class="absent">none</span>;
  if (fact.state === 'unknown') return <span class="unknown">unknown</span>;
  if (fact.state === 'not_looked') return <span class="unknown">not looked at</span>;
  if (fact.id === 'validation.safe' && Array.isArray(fact.value))
    return <Anything value={fact.value.map((cmd) => ({ cmd }))} most={most} />;
  return <Anything value={fact.value} most={most} />;
}

function Anything({ value, most }: { readonly value: unknown; readonly most: number }): VNode {
  if (Array.isArray(value)) {
    // Words stand in a line, whatever is longer one below the other.
    if (value.length <= most && value.every((one) => typeof one === 'string' && /^[\w.+#/@-]{1,24}$/.test(one)))
      return <span class="text-value">{value.join(', ')}</span>;
    return (
      <span class="values">
        {value.slice(0, most).map((one, at) => (
          <Anything key={at} value={one} most={most} />
        ))}
        {value.length > most ? <span class="quiet">and {(value.length - most).toLocaleString('en')} more</span> : null}
      </span>
    );
  }
  if (typeof value === 'object' && value !== null) {
    const { cmd, cwd, ...rest } = value as Readonly<Record<string, unknown>>;
    if (typeof cmd === 'string')
      return (
        <span>
          <code>
            <Shown text={cmd} />
          </code>
          {typeof cwd === 'string' && cwd !== '.' ? (
            <span class="quiet">
              {' '}
              in <Shown text={cwd} />
            </span>
          ) : null}
        </span>
      );
    return (
      <span class="values">
        {Object.entries({ ...(cmd === undefined ? {} : { cmd }), ...(cwd === undefined ? {} : { cwd }), ...rest })
          .slice(0, most * 3)
          .map(([name, one]) => (
            <span key={name} class="pair">
              <span class="quiet">
                <Shown text={name} />
              </span>{' '}
              <Anything value={one} most={most} />
            </span>
          ))}
      </span>
    );
  }
  if (typeof value === 'number') return <span class="number-value">{value.toLocaleString('en')}</span>;
  return (
    <span class="text-value">
      <Shown text={String(value)} />
    </span>
  );
}

function Evidence({ fact }: { readonly fact: Fact }): VNode {
  const close = useRef<HTMLAnchorElement>(null);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const [because = '', ...how] = fact.how.split(': ');
  const lines = fact.lines ?? [];
  const [most, setMost] = useState(6);
  return (
    <aside
      class="evidence"
      aria-label="Evidence"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close.current?.click();
      }}
    >
      <div class="evidence-head">
        <div>
          <h2 ref={head} tabIndex={-1}>
            {labelOf(fact.id)}
          </h2>
          <p class="quiet">{fact.says}</p>
        </div>
        <a ref={close} class="plain" href={addressWith({ fact: '' })} aria-label="Close the evidence">
          <Icon name="close" />
        </a>
      </div>
      <dl class="pairs">
        <Pair name="Value">
          <Value fact={fact} most={50} />
        </Pair>
        <Pair name="Sure">
          <Confidence fact={fact} />
        </Pair>
        <Pair name="Because">
          <span>
            {because}
            <span class="quiet">{how.length === 0 ? '' : ` – ${how.join(': ')}`}</span>
          </span>
        </Pair>
        {fact.stale === undefined ? null : (
          <Pair name="Since then">
            <span>
              <StaleDot /> what it was read from {fact.stale === 'changed' ? 'has changed' : 'may have changed'}
            </span>
          </Pair>
        )}
        <Pair name="Address">
          <code>{fact.id}</code>
        </Pair>
      </dl>
      {lines.length === 0 ? (
        <p class="quiet">
          {fact.state === 'none'
            ? 'That nothing is there has no line that shows it.'
            : 'No line shows this: it follows from what was counted or looked for.'}
        </p>
      ) : (
        lines.slice(0, most).map(({ at }) => <Place key={at} at={at} />)
      )}
      {lines.length > most ? (
        <button type="button" onClick={() => setMost(most + 20)}>
          {plural(lines.length - most, 'more place')}
        </button>
      ) : null}
    </aside>
  );
}

function Place({ at }: { readonly at: string }): VNode {
  const [, path = at, line = '1'] = /^(.*):(\d+)$/.exec(at) ?? [];
  const number = Number(line);
  return (
    <figure class="place">
      <figcaption>
        <Path path={path} line={number} />
      </figcaption>
      <Excerpt path={path} mark={{ line: number }} around={3} />
    </figure>
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

function labelOf(id: string): string {
  const known = labels[id];
  if (known !== undefined) return known;
  const text = id.replaceAll(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listScopes({
  facts,
}: Facts): readonly { readonly name: string; readonly count: number; readonly isStale: boolean }[] {
  const byScope = new Map<string, { count: number; isStale: boolean }>([['.', { count: 0, isStale: false }]]);
  for (const { scope, stale } of facts) {
    const known = byScope.get(scope) ?? { count: 0, isStale: false };
    byScope.set(scope, { count: known.count + 1, isStale: known.isStale || stale !== undefined });
  }
  return [...byScope]
    .map(([name, rest]) => ({ name, ...rest }))
    .sort((a, b) => (a.name === '.' ? -1 : b.name === '.' ? 1 : a.name < b.name ? -1 : 1));
}

function groupFacts(facts: readonly Fact[]): readonly (readonly [string, readonly Fact[]])[] {
  const titleOf = ({ id }: Fact) => groups.find(([, fits]) => fits.test(id))?.[0] ?? labelOf(id.split('.')[0] ?? id);
  const rank = ({ id }: Fact) => (order.includes(id) ? order.indexOf(id) : order.length);
  const byTitle = Map.groupBy(facts, titleOf);
  const titles = [
    ...groups.map(([title]) => title),
    ...[...byTitle.keys()].filter((title) => !groups.some(([known]) => known === title)),
  ];
  return titles.flatMap((title) => {
    const members = byTitle.get(title);
    return members === undefined
      ? []
      : [[title, [...members].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))] as const];
  });
}
