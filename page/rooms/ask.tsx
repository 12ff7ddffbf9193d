/** Questions about code: text and symbols on the left, and of what is chosen its definition, references, implementations and what it leans on. */

import './ask.css';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Ambiguous, type AnswerOf, ask, isAmbiguous } from '../ask.ts';
import { Excerpt } from '../parts/code.tsx';
import { CountOf } from '../parts/count.tsx';
import { Icon } from '../parts/icon.tsx';
import { Path, plural, Shown } from '../parts/shown.tsx';
import { ProblemState, State, Waiting } from '../parts/state.tsx';
import type { RoomProps } from '../shell.tsx';
import { addressWith, go, useAnswer } from '../use.ts';

const typingMs = 140;
const pageSize = 100;

export default function AskRoom({ query, status }: RoomProps): VNode {
  const asked = query.get('q') ?? '';
  const kind = query.get('in') === 'text' ? 'text' : 'symbols';
  const at = query.get('at') ?? '';
  const [text, setText] = useState(asked);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (at === '') field.current?.focus();
  }, []);
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => go(addressWith({ q: text }), 'replace'), typingMs);
    return () => clearTimeout(timer);
  }, [text, asked]);
  const switchOf = (name: string, says: string, title: string) => (
    <button
      type="button"
      class="switch"
      aria-pressed={query.has(name)}
      title={title}
      onClick={() => go(addressWith({ [name]: query.has(name) ? '' : '1' }), 'replace')}
    >
      {says}
    </button>
  );
  return (
    <div class={`ask ${at === '' ? '' : 'with-subject'}`}>
      <div class="ask-side">
        <form
          class="ask-form"
          onSubmit={(event) => {
            event.preventDefault();
            go(addressWith({ q: text }), 'replace');
          }}
        >
          <label class="field">
            <span class="sr">{kind === 'text' ? 'Text to find' : 'Symbol to find'}</span>
            <input
              ref={field}
              type="search"
              value={text}
              spellcheck={false}
              autocomplete="off"
              placeholder={kind === 'text' ? 'Text in files' : 'A name, a part of it, Class/method'}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <div class="ask-options">
            <fieldset class="segments">
              <legend class="sr">What to look for</legend>
              {(['symbols', 'text'] as const).map((one) => (
                <label key={one}>
                  <input
                    type="radio"
                    name="in"
                    checked={kind === one}
                    onChange={() => go(addressWith({ in: one === 'text' ? 'text' : '' }), 'replace')}
                  />
                  <span>{one === 'text' ? 'Text' : 'Symbols'}</span>
                </label>
              ))}
            </fieldset>
            {kind === 'text' ? (
              <span class="switches">
                {switchOf('case', 'Aa', 'Upper and lower case are told apart')}
                {switchOf('word', 'Word', 'Whole words only')}
                {switchOf('regex', '.*', 'A regular expression')}
              </span>
            ) : null}
          </div>
        </form>
        <div class="ask-results">
          {asked.trim() === '' ? (
            <Start filesInScope={status.value?.files.present} symbols={status.value?.symbols} />
          ) : kind === 'text' ? (
            <TextResults query={query} asked={asked} at={at} />
          ) : (
            <SymbolResults asked={asked} at={at} />
          )}
        </div>
      </div>
      {at === '' ? null : <Subject key={at} at={at} view={query.get('view') ?? 'refs'} />}
    </div>
  );
}

function Start({
  filesInScope,
  symbols,
}: {
  readonly filesInScope: number | undefined;
  readonly symbols: number | undefined;
}): VNode {
  if (filesInScope === 0)
    return (
      <State title="There is nothing to ask about yet">
        <p>No file is in scope. Add files, or look whether an ignore rule leaves everything out.</p>
      </State>
    );
  return (
    <div class="start">
      <p>
        {filesInScope === undefined ? 'Every file in scope' : plural(filesInScope, 'file')} and{' '}
        {symbols === undefined ? 'every symbol' : plural(symbols, 'symbol')}, compared with the disk before each answer.
      </p>
      <dl class="pairs">
        <div>
          <dt>gUN</dt>
          <dd>initials of getUserName</dd>
        </div>
        <div>
          <dt>Class/method</dt>
          <dd>a name path</dd>
        </div>
        <div>
          <dt>Text</dt>
          <dd>finds what stands in strings, comments and prose too</dd>
        </div>
      </dl>
    </div>
  );
}

const subjectAddress = (path: string, line: number, col: number) => addressWith({ at: `${path}:${line}:${col}` });

function SymbolResults({ asked, at }: { readonly asked: string; readonly at: string }): VNode {
  const answer = useAnswer(
    `symbols ${asked}`,
    (signal) => ask('symbols', { query: asked.trim(), limit: pageSize }, { signal }),
    ['reconcile'],
  );
  const value = useLast(answer.value);
  if (answer.problem !== undefined && !answer.isAsking)
    return <ProblemState problem={answer.problem} again={answer.again} />;
  if (value === undefined || isAmbiguous(value)) return <Waiting says="Looking" />;
  if (value.symbols.length === 0)
    return (
      <State title="No symbol of that name">
        <p>
          The name may stand in text only. <a href={addressWith({ in: 'text' })}>Look in the text of all files.</a>
        </p>
      </State>
    );
  return (
    <>
      <CountOf count={value.count} what="symbol" />
      <ul class="hits" aria-busy={answer.isAsking}>
        {value.symbols.map((symbol) => {
          const place = `${symbol.path}:${symbol.line}:${symbol.col}`;
          return (
            <li key={`${place} ${symbol.overload}`}>
              <a
                class="hit"
                href={subjectAddress(symbol.path, symbol.line, symbol.col)}
                aria-current={place === at ? 'true' : undefined}
              >
                <span class="hit-head">
                  <code class="hit-name">
                    <Shown text={symbol.name_path} />
                  </code>
                  <span class="kind">{symbol.kind}</span>
                  {symbol.marks.includes('test') ? <span class="kind">test</span> : null}
                </span>
                <Path path={symbol.path} line={symbol.line} />
              </a>
            </li>
          );
        })}
      </ul>
      {value.truncated ? <p class="quiet more">There are more: say more of the name.</p> : null}
    </>
  );
}

function TextResults({
  query,
  asked,
  at,
}: {
  readonly query: URLSearchParams;
  readonly asked: string;
  readonly at: string;
}): VNode {
  const how = { ignore_case: !query.has('case'), word: query.has('word'), regex: query.has('regex') };
  const answer = useAnswer(
    `search ${asked} ${JSON.stringify(how)}`,
    (signal) => ask('search', { query: asked, ...how, limit: pageSize * 2 }, { signal }),
    ['reconcile'],
  );
  const value = useLast(answer.value);
  if (answer.problem !== undefined && !answer.isAsking)
    return <ProblemState problem={answer.problem} again={answer.again} />;
  if (value === undefined || isAmbiguous(value)) return <Waiting says="Looking" />;
  if (value.files.length === 0)
    return (
      <State title="Found nowhere">
        <CountOf count={value.count} what="hit" />
      </State>
    );
  return (
    <>
      <CountOf count={value.count} what="hit" />
      <div aria-busy={answer.isAsking}>
        {value.files.map(({ path, hits }) => (
          <section key={path} class="file-hits">
            <h3>
              <Path path={path} />
            </h3>
            <ul>
              {hits.map((hit) => (
                <li key={`${hit.line}:${hit.col}`}>
                  <HitLine path={path} hit={hit} isCurrent={`${path}:${hit.line}:${hit.col}` === at} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {value.truncated ? <p class="quiet more">There are more: say more of the text.</p> : null}
    </>
  );
}

type Hit = { readonly line: number; readonly col: number; readonly end_col: number; readonly text: string };

function HitLine({
  path,
  hit,
  isCurrent,
  mark,
}: {
  readonly path: string;
  readonly hit: Hit;
  readonly isCurrent?: boolean;
  readonly mark?: string | undefined;
}): VNode {
  // The line may be cut around the place: where it is as written, the place is shown in it.
  const isWhole = !hit.text.startsWith('…');
  const [start, end] = isWhole ? [hit.col - 1, hit.end_col - 1] : [0, 0];
  const lead = hit.text.length - hit.text.trimStart().length;
  return (
    <a
      class="hit-line"
      href={subjectAddress(path, hit.line, hit.col)}
      aria-current={isCurrent === true ? 'true' : undefined}
    >
      <span class="hit-number">{hit.line}</span>
      <code>
        <Shown text={hit.text.slice(Math.min(lead, start), start)} />
        <mark>
          <Shown text={hit.text.slice(start, end)} />
        </mark>
        <Shown text={isWhole ? hit.text.slice(end) : hit.text} />
      </code>
      {mark === undefined ? null : <span class="kind">{mark}</span>}
    </a>
  );
}

/** What was there last stays until the next is: letters are typed faster than answered. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

const views = { refs: 'References', def: 'Definition', implementations: 'Implementations', slice: 'Leans on' } as const;
type View = keyof typeof views;

function Subject({ at, view: given }: { readonly at: string; readonly view: string }): VNode {
  const view: View = Object.hasOwn(views, given) ? (given as View) : 'refs';
  const [, path = at, line = '1', col = '1'] = /^(.*):(\d+):(\d+)$/.exec(at) ?? [];
  const place = { path, line: Number(line), col: Number(col) };
  return (
    <section class="subject" aria-label="What was chosen">
      <div class="subject-head">
        <Path path={path} line={place.line} />
        <span class="subject-acts">
          <a class="button" href={`/change?${new URLSearchParams({ target: at })}`}>
            <Icon name="change" /> Rename
          </a>
          <a class="plain" href={addressWith({ at: '', view: '' })} aria-label="Close">
            <Icon name="close" />
          </a>
        </span>
      </div>
      <Excerpt path={path} mark={{ line: place.line }} around={5} hasLinks />
      <nav class="tabs" aria-label="Questions about it">
        {Object.entries(views).map(([name, says]) => (
          <a
            key={name}
            href={addressWith({ view: name === 'refs' ? '' : name })}
            aria-current={name === view ? 'true' : undefined}
          >
            {says}
          </a>
        ))}
      </nav>
      <div class="subject-body">
        {view === 'refs' ? (
          <References at={at} />
        ) : view === 'def' ? (
          <Definitions at={at} />
        ) : view === 'implementations' ? (
          <Implementations at={at} />
        ) : (
          <Leans at={at} />
        )}
      </div>
    </section>
  );
}

/** What every question about a place can end in besides its answer. */
function About<T extends object>({
  answer,
  children,
}: {
  readonly answer: ReturnType<typeof useAnswer<T | Ambiguous>>;
  readonly children: (value: T) => ComponentChildren;
}): VNode {
  const { value, problem, again, isAsking } = answer;
  if (value === undefined)
    return problem === undefined || isAsking ? (
      <Waiting says="Asking" />
    ) : (
      <ProblemState problem={problem} again={again} />
    );
  if (isAmbiguous(value))
    return (
      <State title="This may mean several things">
        <p>{value.message}</p>
        <ul>
          {value.candidates.map((one) => (
            <li key={one}>
              <code>
                <Shown text={one} />
              </code>
            </li>
          ))}
        </ul>
      </State>
    );
  return <>{children(value)}</>;
}

function Dirt({ freshness }: { readonly freshness: AnswerOf<'refs'>['freshness'] }): VNode | null {
  const { state, missing } = freshness;
  const dirt = {
    clean: undefined,
    facts_behind: 'Some places rest on what a compiler said of older bytes; each is marked.',
    dirty: `${plural(freshness.files.length + freshness.more, 'file')} changed while this was answered.`,
    unverified: 'In this large repository only the files named here were compared with the disk.',
  }[state];
  const lacks =
    missing === undefined
      ? undefined
      : `A compiler has still to look at ${plural(missing.files, 'file')}, about ${missing.about_s} s${missing.under_way ? '; it is at work' : ''}.`;
  const says = [dirt, lacks].filter((one) => one !== undefined);
  return says.length === 0 ? null : <p class="notice">{says.join(' ')}</p>;
}

function References({ at }: { readonly at: string }): VNode {
  const answer = useAnswer(`refs ${at}`, (signal) => ask('refs', { target: at, limit: 500 }, { signal }), [
    'reconcile',
    'job',
  ]);
  return (
    <About<AnswerOf<'refs'>> answer={answer}>
      {({ target, files, unresolved, count, excluded, freshness, certainty, truncated }) => (
        <>
          <Dirt freshness={freshness} />
          <div class="subject-count">
            <CountOf count={count} what={`reference`} />
            <span class="quiet">
              to{' '}
              <code>
                <Shown text={target.name} />
              </code>
              {certainty === 'certain' ? '' : ` · ${certainty}`}
            </span>
          </div>
          {files.map(({ path, hits }) => (
            <section key={path} class="file-hits">
              <h3>
                <Path path={path} />
              </h3>
              <ul>
                {hits.map((hit) => (
                  <li key={`${hit.line}:${hit.col}`}>
                    <HitLine
                      path={path}
                      hit={hit}
                      mark={
                        [hit.role === 'read' ? '' : hit.role, hit.state?.replaceAll('_', ' ') ?? '']
                          .filter(Boolean)
                          .join(', ') || undefined
                      }
                    />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {unresolved.length === 0 ? null : (
            <section class="doubts">
              <h3>Could also mean it</h3>
              <p class="quiet">Spelled like it; neither scope nor types tell.</p>
              {unresolved.map(({ path, hits }) => (
                <section key={path} class="file-hits">
                  <h3>
                    <Path path={path} />
                  </h3>
                  <ul>
                    {hits.map((hit) => (
                      <li key={`${hit.line}:${hit.col}`}>
                        <HitLine path={path} hit={hit} mark={hit.why.replaceAll('_', ' ')} />
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </section>
          )}
          <p class="quiet more">
            {[
              ...(truncated ? ['there are more than are shown'] : []),
              ...(excluded.other_symbols > 0 ? [`${excluded.other_symbols} of other declarations`] : []),
              ...(excluded.mentions > 0 ? [`${excluded.mentions} in strings, comments and data`] : []),
              ...(excluded.other_languages > 0 ? [`${excluded.other_languages} in other languages`] : []),
            ].join(' · ')}
            {excluded.other_symbols + excluded.mentions + excluded.other_languages > 0 ? ' are not counted.' : ''}
          </p>
        </>
      )}
    </About>
  );
}

function Found({
  path,
  line,
  col,
  endCol,
  name,
  kind,
  isByName,
}: {
  readonly path: string;
  readonly line: number;
  readonly col: number;
  readonly endCol: number;
  readonly name: string;
  readonly kind: string;
  readonly isByName: boolean;
}): VNode {
  return (
    <figure class="place">
      <figcaption>
        <a href={subjectAddress(path, line, col)}>
          <Path path={path} line={line} />
        </a>
        <span class="kind">
          {kind} <Shown text={name} />
          {isByName ? ' · by name only' : ''}
        </span>
      </figcaption>
      <Excerpt path={path} mark={{ line, col, endCol }} around={6} hasLinks />
    </figure>
  );
}

function Definitions({ at }: { readonly at: string }): VNode {
  const answer = useAnswer(`def ${at}`, (signal) => ask('def', { target: at }, { signal }), ['reconcile', 'job']);
  return (
    <About<AnswerOf<'def'>> answer={answer}>
      {({ definitions, modules, outside, count, freshness }) => (
        <>
          <Dirt freshness={freshness} />
          <CountOf count={count} what="definition" />
          {definitions.slice(0, 20).map((one) => (
            <Found
              key={`${one.path}:${one.line}:${one.col}`}
              path={one.path}
              line={one.line}
              col={one.col}
              endCol={one.end_col}
              name={one.name_path ?? one.name}
              kind={one.kind}
              isByName={one.provenance === 'text'}
            />
          ))}
          {modules.map((path) => (
            <p key={path}>
              <Path path={path} /> <span class="quiet">the whole file</span>
            </p>
          ))}
          {outside.map((one) => (
            <p key={`${one.specifier} ${one.name}`}>
              Outside this repository:{' '}
              <code>
                <Shown text={one.external ?? one.specifier} />
              </code>{' '}
              <span class="quiet">{one.reason.replaceAll('_', ' ')}</span>
            </p>
          ))}
        </>
      )}
    </About>
  );
}

function Implementations({ at }: { readonly at: string }): VNode {
  const answer = useAnswer(`implementations ${at}`, (signal) => ask('implementations', { target: at }, { signal }), [
    'reconcile',
    'job',
  ]);
  return (
    <About<AnswerOf<'implementations'>> answer={answer}>
      {({ implementations, count, freshness }) => (
        <>
          <Dirt freshness={freshness} />
          <CountOf count={count} what="implementation" />
          {implementations.slice(0, 40).map((one) => (
            <Found
              key={`${one.path}:${one.line}:${one.col}`}
              path={one.path}
              line={one.line}
              col={one.col}
              endCol={one.end_col}
              name={one.name_path ?? one.name}
              kind={one.kind}
              isByName={one.provenance === 'text'}
            />
          ))}
        </>
      )}
    </About>
  );
}

function Leans({ at }: { readonly at: string }): VNode {
  const answer = useAnswer(
    `slice ${at}`,
    (signal) => ask('slice', { target: at, kind: 'dependency-chain' }, { signal }),
    ['reconcile'],
  );
  return (
    <About<AnswerOf<'slice'>> answer={answer}>
      {(slice) =>
        slice.kind !== 'dependency-chain' ? null : (
          <>
            <p>
              <code>
                <Shown text={slice.from} />
              </code>{' '}
              leans on {plural(slice.links.length, 'symbol')}
              {slice.truncated ? ' and more' : ''}
              <span class="quiet"> · by syntax</span>
            </p>
            <ul class="file-hits">
              {slice.links.map((link) => (
                <li key={`${link.path}:${link.line}:${link.col} ${link.symbol}`} class="lean">
                  <span class="quiet">
                    {'·'.repeat(link.depth)} {link.via.replaceAll('_', ' ')}
                  </span>{' '}
                  <code>
                    <Shown text={link.symbol} />
                  </code>
                  <HitLine path={link.path} hit={link} />
                </li>
              ))}
            </ul>
          </>
        )
      }
    </About>
  );
}
