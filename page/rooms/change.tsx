/**
 * A rename from its request to the written files: what is looked at while it is planned, what would be written side by side, what only a reader
 * can decide, and the history. What is sent as an answer is what was chosen here, and the line that was shown.
 */

import './change.css';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  blockedWords,
  itemWords,
  provenanceWords,
  publicNameWords,
  refusedWords,
  statusWords,
  unsupportedWords,
} from '../../src/serve/changes/outcome-words.ts';
import { ask, type ChangeAnswerOf, change, isAmbiguous } from '../ask.ts';
import { Excerpt } from '../parts/code.tsx';
import { ago, Path, plural, Shown } from '../parts/shown.tsx';
import { ProblemState, Waiting } from '../parts/state.tsx';
import { Problem } from '../session.ts';
import type { RoomProps } from '../shell.tsx';
import { type Asked, addressWith, go, useAnswer } from '../use.ts';

type Answer = ChangeAnswerOf<'rename'>;
type Outcome = Answer['outcome'];
type Plan = Extract<Outcome, { kind: 'ok' }>['plan'];
type Item = Plan['items'][number];
type Line = ChangeAnswerOf<'planList'>['plans'][number];

export default function ChangeRoom({ query }: RoomProps): VNode {
  const id = query.get('plan') ?? '';
  const plans = useAnswer('plans', (signal) => change('planList', {}, { signal }), ['plan']);
  return (
    <div class="change">
      <div class="change-main">
        <h1>{id === '' ? 'Rename' : <Title line={plans.value?.plans.find((one) => one.id === id)} />}</h1>
        {id === '' ? <Request query={query} /> : <PlanOf key={id} id={id} />}
      </div>
      <History plans={plans} open={id} />
    </div>
  );
}

function Title({ line }: { readonly line: Line | undefined }): VNode {
  if (line === undefined) return <>A plan</>;
  return (
    <>
      {line.kind.replaceAll('_', ' ').replace(/^./, (one) => one.toUpperCase())}{' '}
      <code>
        <Shown text={line.name} />
      </code>{' '}
      <span class="arrow">→</span>{' '}
      <code>
        <Shown text={line.new_name} />
      </code>
    </>
  );
}

// ---- what is asked for

function Request({ query }: { readonly query: URLSearchParams }): VNode {
  const [target, setTarget] = useState(query.get('target') ?? '');
  const [name, setName] = useState(query.get('name') ?? '');
  const [publicNames, setPublicNames] = useState<keyof typeof publicNameWords>('ask');
  const [steps, setSteps] = useState<readonly string[]>();
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<Problem>();
  const stop = useRef<AbortController>(undefined);
  const nameField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (target !== '') nameField.current?.focus();
    return () => stop.current?.abort();
  }, []);
  const place = /^(.+?):(\d+)(?::\d+)?$/.exec(target);
  const plan = async () => {
    setSteps(['asking']);
    setAnswer(undefined);
    setProblem(undefined);
    stop.current = new AbortController();
    const { signal } = stop.current;
    const onLine = (line: Readonly<Record<string, unknown>>) => {
      const says = stepOf(line);
      if (says !== undefined)
        setSteps((before = []) =>
          before.at(-1) === says ? before : [...before.filter((one) => one !== 'asking'), says],
        );
    };
    try {
      // Asked until it ends: a proof may outlast its request, and the same request gets the outcome.
      for (;;) {
        const given = await change('rename', { target, new_name: name, public_names: publicNames }, { signal, onLine });
        const { outcome } = given;
        if (outcome.kind === 'blocked' && outcome.reason === 'proof_running') {
          setSteps((before = []) => [...before.filter((one) => one !== outcome.detail), outcome.detail]);
          await new Promise((resolve) => setTimeout(resolve, Math.max(500, outcome.retry_after_ms ?? 0)));
          signal.throwIfAborted();
          continue;
        }
        const made = planOf(outcome);
        if (made !== undefined) return go(`/change?${new URLSearchParams({ plan: made.id })}`);
        setAnswer(given);
        break;
      }
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof Problem ? error : new Problem(0, { message: String(error) }));
    } finally {
      setSteps(undefined);
    }
  };
  return (
    <>
      <p class="quiet">
        The compiler binds every name before and after; what only a reader can decide is asked. Nothing is written
        before you commit.
      </p>
      <form
        class="rename-form"
        onSubmit={(event) => {
          event.preventDefault();
          void plan();
        }}
      >
        <label>
          What is renamed
          <input
            type="text"
            value={target}
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="src/cart.ts:3:17 or Cart/total"
            onInput={(event) => setTarget(event.currentTarget.value)}
          />
        </label>
        <label>
          New name
          <input
            ref={nameField}
            type="text"
            value={name}
            required
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        {steps === undefined ? (
          <button type="submit" class="primary">
            Plan the rename
          </button>
        ) : (
          <button type="button" onClick={() => stop.current?.abort()}>
            Stop
          </button>
        )}
        <details class="rename-more">
          <summary>Public names</summary>
          <div>
            <label>
              A name that the package shows to its users
              <select
                value={publicNames}
                onChange={(event) => setPublicNames(event.currentTarget.value as keyof typeof publicNameWords)}
              >
                {Object.entries(publicNameWords).map(([value, says]) => (
                  <option key={value} value={value}>
                    {value}: {says}
                  </option>
                ))}
              </select>
            </label>
          </div>
        </details>
      </form>
      {steps === undefined ? null : <Steps steps={steps} />}
      {problem === undefined ? null : problem.outcome === 'not_found' ? (
        <Verdict tone="no" title="There is nothing of that name">
          <Shown text={problem.message} />
        </Verdict>
      ) : (
        <ProblemState problem={problem} again={() => void plan()} />
      )}
      {answer === undefined ? null : <Ending answer={answer} again={() => void plan()} />}
      {answer === undefined && steps === undefined && place !== null ? (
        <div class="diffs">
          <h2>What stands there</h2>
          <div class="file-diff">
            <Excerpt path={place[1] ?? ''} mark={{ line: Number(place[2]) }} around={6} hasLinks />
          </div>
        </div>
      ) : null}
    </>
  );
}

function stepOf(line: Readonly<Record<string, unknown>>): string | undefined {
  const progress = line['progress'] as { readonly step?: string; readonly total?: number } | undefined;
  if (progress?.step === undefined) return undefined;
  // Steps of the index have counts, those of a change are sentences.
  return progress.total === undefined ? progress.step : `looking at ${plural(progress.total, 'file')}`;
}

function Steps({ steps }: { readonly steps: readonly string[] }): VNode {
  return (
    <div class="steps" role="status" aria-live="polite">
      <progress aria-label="Planning" />
      <ul>
        {steps.slice(-8).map((says) => (
          <li key={says}>
            <Shown text={says} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function planOf(outcome: Outcome): Plan | undefined {
  return 'plan' in outcome ? (outcome.plan ?? undefined) : undefined;
}

// ---- a plan

/** With all of its questions: an answer shows some at once. */
async function readPlan(
  id: string,
  signal: AbortSignal,
): Promise<{
  readonly answer: Answer;
  readonly items: readonly Item[];
  readonly remembered: ReadonlyMap<string, string>;
}> {
  const answer = await change('planShow', { plan_id: id }, { signal });
  const items: Item[] = [...(planOf(answer.outcome)?.items ?? [])];
  const remembered = new Map<string, string>();
  for (let page: Answer = answer; ; ) {
    if (page.outcome.kind === 'needs_decision')
      for (const { item, option } of page.outcome.remembered ?? []) remembered.set(item, option);
    const plan = planOf(page.outcome);
    if (plan === undefined || plan.items.length === 0 || items.length >= plan.questions) break;
    page = await change('planShow', { plan_id: id, from: items.length + 1 }, { signal });
    items.push(...(planOf(page.outcome)?.items ?? []));
  }
  return { answer, items, remembered };
}

function PlanOf({ id }: { readonly id: string }): VNode {
  const shown = useAnswer(`plan ${id}`, (signal) => readPlan(id, signal), ['plan']);
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const [acting, setActing] = useState<string>();
  const [ended, setEnded] = useState<Answer>();
  const [problem, setProblem] = useState<Problem>();
  const { value } = shown;
  if (value === undefined)
    return shown.problem === undefined ? (
      <Waiting says="Reading the plan" />
    ) : (
      <ProblemState problem={shown.problem} again={shown.again} />
    );
  const { answer, items, remembered } = value;
  const { outcome } = answer;
  const plan = planOf(outcome);
  if (plan === undefined) return <Ending answer={answer} again={shown.again} />;
  const act = (says: string, ask: () => Promise<Answer>) => {
    setActing(says);
    setProblem(undefined);
    setEnded(undefined);
    ask()
      .then(
        (given) =>
          given.outcome.kind === 'ok' || given.outcome.kind === 'ok_syntactic' ? shown.again() : setEnded(given),
        (error: unknown) => setProblem(error instanceof Problem ? error : new Problem(0, { message: String(error) })),
      )
      .finally(() => setActing(undefined));
  };
  const commit = async (): Promise<Answer> => {
    const answers = await answersOf(plan, chosen);
    return change('planCommit', { plan_id: plan.id, plan_hash: plan.hash, answers });
  };
  const state = outcome.kind === 'ok' || outcome.kind === 'ok_syntactic' ? outcome.state : 'planned';
  const isOpen = plan.status === 'open' && state === 'planned';
  const open = items.filter(({ number }) => !chosen.has(number)).length;
  const stops = [...chosen.values()].includes('stop');
  const review = outcome.kind === 'ok_syntactic' ? outcome.review.length : 0;
  const options = Object.fromEntries([...chosen].map(([number, option]) => [String(number), option]));
  return (
    <>
      <Standing plan={plan} state={state} open={open} outcome={outcome}>
        {isOpen ? (
          <>
            <button
              type="button"
              onClick={() => act('Giving it up', () => change('planCancel', { plan_id: id }))}
              disabled={acting !== undefined}
            >
              Give it up
            </button>
            <button
              type="button"
              class="primary"
              disabled={open > 0 || acting !== undefined || review > 0 || stops}
              onClick={() => act('Writing', commit)}
            >
              {acting ?? (open > 0 ? `${plural(open, 'question')} open` : 'Commit')}
            </button>
          </>
        ) : state === 'applied' && 'result' in outcome && outcome.result?.undo != null ? (
          <button
            type="button"
            onClick={() => act('Taking it back', () => change('planUndo', { plan_id: id }))}
            disabled={acting !== undefined}
          >
            {acting ?? 'Undo'}
          </button>
        ) : null}
      </Standing>
      {stops && isOpen ? (
        <p class="notice">You chose to stop: the plan is not written. Give it up, or choose otherwise.</p>
      ) : null}
      {review > 0 && isOpen ? (
        <p class="notice">
          {plural(review, 'edit')} of this forced plan are vouched for by nothing but spelling. They are chosen one by
          one on the command line: <code>codegenie plan show {id}</code>.
        </p>
      ) : null}
      {problem === undefined ? null : (
        <p class="notice" role="alert">
          <Shown text={problem.message} />
        </p>
      )}
      {ended === undefined ? null : <Ending answer={ended} again={shown.again} />}
      {isOpen
        ? askTogether(items).map((group) => (
            <Question
              key={group[0]?.id}
              items={group}
              chosen={chosen}
              remembered={remembered}
              choose={(numbers, option) =>
                setChosen((before) => new Map([...before, ...numbers.map((one) => [one, option] as const)]))
              }
            />
          ))
        : null}
      <Files plan={plan} options={options} isWritten={state === 'applied'} canShow={isOpen || state === 'applied'} />
      {plan.notes.length === 0 ? null : (
        <ul class="quiet">
          {plan.notes.map((note) => (
            <li key={note}>
              <Shown text={note} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Those of one kind and with the same options are one question with its places. */
function askTogether(items: readonly Item[]): readonly (readonly Item[])[] {
  return [...Map.groupBy(items, ({ kind, options }) => [kind, ...options.map(({ id }) => id)].join(' ')).values()];
}

/** By number the option, and behind it the line that was shown, where a line has to be quoted. */
async function answersOf(plan: Plan, chosen: ReadonlyMap<number, string>): Promise<Record<string, string>> {
  const answers: Record<string, string> = Object.fromEntries(
    [...chosen].map(([number, option]) => [String(number), option]),
  );
  for (const { key, file, line, col } of plan.to_quote) {
    const read = await ask('text', { path: file, from: line, lines: 1 });
    if (isAmbiguous(read)) continue;
    const text = read.lines[0] ?? '';
    const quote = text.length <= 1_000 ? text : text.slice(Math.max(0, col - 201), col + 199);
    answers[key] = key in answers ? `${answers[key]}: ${quote}` : quote;
  }
  return answers;
}

function Standing({
  plan,
  state,
  open,
  outcome,
  children,
}: {
  readonly plan: Plan;
  readonly state: string;
  readonly open: number;
  readonly outcome: Outcome;
  readonly children: ComponentChildren;
}): VNode {
  const main = plan.groups.filter((group) => group.item === undefined);
  const edits = main.reduce((sum, group) => sum + group.edits.length + group.more, 0);
  const where = `${plural(edits, 'edit')} in ${plural(plan.files.length, 'file')}`;
  const [tone, title] =
    state === 'applied'
      ? (['good', 'Written'] as const)
      : state === 'undone'
        ? (['', 'Taken back'] as const)
        : plan.status !== 'open'
          ? (['', statusWords[plan.status]] as const)
          : plan.questions > 0
            ? (['ask-you', open > 0 ? 'A reader has to decide' : 'Decided; not yet written'] as const)
            : (['good', plan.provenance === 'proven' ? 'Proven' : 'Planned'] as const);
  const result = 'result' in outcome ? outcome.result : undefined;
  return (
    <section class={`verdict ${tone}`} aria-live="polite">
      <h2>{title}</h2>
      <p>
        {where}
        {plan.questions > 0 && plan.status === 'open' ? ` · ${plural(plan.questions, 'question')}` : ''} ·{' '}
        {plan.questions > 0 ? provenanceWords[plan.provenance].split(';')[0] : provenanceWords[plan.provenance]}
        {plan.status === 'open' ? ` · kept until ${new Date(plan.expires_at).toLocaleString()}` : ''}
      </p>
      {[
        ...(result?.notes ?? []),
        ...(result?.late_writes ?? []).map(({ path, kept }) => `${path} was written meanwhile; kept in ${kept}`),
      ].map((note) => (
        <p key={note}>
          <Shown text={note} />
        </p>
      ))}
      <div class="acts">{children}</div>
    </section>
  );
}

const placesAtOnce = 4;

function Question({
  items,
  chosen,
  remembered,
  choose,
}: {
  readonly items: readonly Item[];
  readonly chosen: ReadonlyMap<number, string>;
  readonly remembered: ReadonlyMap<string, string>;
  readonly choose: (numbers: readonly number[], option: string) => void;
}): VNode | null {
  const [most, setMost] = useState(placesAtOnce);
  const [first] = items;
  if (first === undefined) return null;
  const numbers = items.map(({ number }) => number);
  const answers = new Set(numbers.map((number) => chosen.get(number)));
  const alike = answers.size === 1 ? [...answers][0] : undefined;
  const before = remembered.get(first.id);
  return (
    <section class="question" aria-labelledby={`question-${first.number}`}>
      <header>
        <h3 id={`question-${first.number}`}>{itemWords[first.kind].replace(/^./, (one) => one.toUpperCase())}</h3>
        <span class="quiet">{items.length > 1 ? plural(items.length, 'place') : `question ${first.number}`}</span>
      </header>
      {items.slice(0, most).map((item) => (
        <div key={item.id}>
          <p class="detail">
            <Shown text={item.detail} />
          </p>
          <figure class="place">
            <figcaption>
              <a href={`/ask?${new URLSearchParams({ at: `${item.at.file}:${item.at.line}:${item.at.col}` })}`}>
                <Path path={item.at.file} line={item.at.line} />
              </a>
              {items.length > 1 && chosen.has(item.number) ? (
                <span class="answered">✓ {chosen.get(item.number)}</span>
              ) : null}
            </figcaption>
            <Excerpt
              path={item.at.file}
              mark={{ line: item.at.line, col: item.at.col, endCol: item.at.col + Math.max(1, item.text.length) }}
              around={2}
            />
          </figure>
          {items.length > 1 ? (
            <label class="detail">
              Here alone{' '}
              <select
                value={chosen.get(item.number) ?? ''}
                onChange={(event) => choose([item.number], event.currentTarget.value)}
              >
                <option value="" disabled>
                  not decided
                </option>
                {item.options.map((option) => (
                  <option key={option.id} value={option.id}>
                    {option.id}: {option.means}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
        </div>
      ))}
      {items.length > most ? (
        <p class="detail">
          <button type="button" onClick={() => setMost(items.length)}>
            {plural(items.length - most, 'more place')}
          </button>
        </p>
      ) : null}
      <fieldset class="options">
        <legend class="sr">{items.length > 1 ? `All ${items.length} places` : 'Your answer'}</legend>
        {first.options.map(({ id, means }) => (
          <label key={id} class="option">
            <input
              type="radio"
              name={`answer-${first.id}`}
              checked={alike === id}
              onChange={() => {
                // A yes is to what was shown.
                setMost(items.length);
                choose(numbers, id);
              }}
            />
            <b>
              {id.replaceAll('_', ' ')}
              {items.length > 1 ? ` · all ${items.length}` : ''}
            </b>
            <span>
              <Shown text={means} />
              {before === id ? ' · chosen before' : ''}
            </span>
          </label>
        ))}
      </fieldset>
    </section>
  );
}

// ---- what is written

const openAtOnce = 3;

function Files({
  plan,
  options,
  isWritten,
  canShow,
}: {
  readonly plan: Plan;
  readonly options: Readonly<Record<string, string>>;
  readonly isWritten: boolean;
  readonly canShow: boolean;
}): VNode {
  return (
    <section class="diffs">
      <h2>{isWritten ? 'What was written' : 'What would be written'}</h2>
      {plan.files.map(({ path, edits, moved_to: to }, at) => (
        <FileDiff
          key={path}
          id={plan.id}
          path={path}
          to={to}
          edits={edits}
          options={options}
          isFirst={at < openAtOnce && canShow}
          canShow={canShow}
        />
      ))}
    </section>
  );
}

function FileDiff({
  id,
  path,
  to,
  edits,
  options,
  isFirst,
  canShow,
}: {
  readonly id: string;
  readonly path: string;
  readonly to: string | undefined;
  readonly edits: number;
  readonly options: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
  readonly canShow: boolean;
}): VNode {
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details class="file-diff" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Path path={path} />
        {to === undefined ? null : (
          <>
            <span class="arrow">→</span> <Path path={to} />
          </>
        )}
        <span class="count">{plural(edits, 'edit')}</span>
      </summary>
      {isOpen ? (
        canShow ? (
          <Sides id={id} path={path} options={options} />
        ) : (
          <p class="quiet">It is not shown side by side: nothing of it stands in the file.</p>
        )
      ) : null}
    </details>
  );
}

function Sides({
  id,
  path,
  options,
}: {
  readonly id: string;
  readonly path: string;
  readonly options: Readonly<Record<string, string>>;
}): VNode {
  const key = JSON.stringify(options);
  const answer = useAnswer(
    `file ${id} ${path} ${key}`,
    (signal) => change('planFile', { plan_id: id, path, options }, { signal }),
    ['plan', 'reconcile'],
  );
  const last = useRef(answer.value);
  if (answer.value !== undefined) last.current = answer.value;
  const value = last.current;
  if (value === undefined)
    return answer.problem === undefined ? (
      <Waiting says="Reading the file" />
    ) : (
      <ProblemState problem={answer.problem} again={answer.again} />
    );
  if (!('sides' in value)) return <Ending answer={value} again={answer.again} />;
  if (value.sides === null)
    return (
      <p class="quiet">
        Not shown: <Shown text={value.why ?? ''} />.
      </p>
    );
  return <Diff path={path} before={value.sides.before} after={value.sides.after} />;
}

/** Its editor comes when a diff is first shown, and draws in a tree of its own, so that its styles need no element that the policy forbids. */
function Diff({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}): VNode {
  const place = useRef<HTMLElement>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let end: (() => void) | undefined;
    let isOver = false;
    import('../parts/diff.ts').then(
      async ({ showDiff }) => {
        if (place.current === null) return;
        const close = await showDiff(place.current, { path, before, after, isNarrow: place.current.clientWidth < 720 });
        if (isOver) close();
        else end = close;
      },
      () => setLost(true),
    );
    return () => {
      isOver = true;
      end?.();
    };
  }, [path, before, after]);
  if (isLost) return <p class="quiet">The view of differences could not be loaded.</p>;
  return <section class="diff-view" ref={place} aria-label={`${path}, before and after`} />;
}

// ---- how it can end without a plan

function Verdict({
  tone,
  title,
  children,
  action,
}: {
  readonly tone: string;
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
}): VNode {
  return (
    <section class={`verdict ${tone}`} role="status">
      <h2>{title}</h2>
      <p>{children}</p>
      <div class="acts">{action}</div>
    </section>
  );
}

function Ending({
  answer: { outcome, next },
  again,
}: {
  readonly answer: Answer;
  readonly again: () => void;
}): VNode | null {
  switch (outcome.kind) {
    case 'refused':
      return (
        <div class="refusal">
          <Verdict tone="no" title={`Refused: ${refusedWords[outcome.reason]}`}>
            <Shown text={outcome.detail} />
          </Verdict>
          {outcome.alternatives.length === 0 ? null : (
            <p>
              It could be:{' '}
              {outcome.alternatives.map((one) => (
                <code key={one}>
                  <Shown text={one} />{' '}
                </code>
              ))}
            </p>
          )}
          <Places places={outcome.evidence} />
          <p class="quiet">
            <Shown text={next} />
          </p>
        </div>
      );
    case 'blocked':
      return (
        <div class="refusal">
          <Verdict
            tone="ask-you"
            title={`Not now: ${blockedWords[outcome.reason]}`}
            action={
              <button type="button" onClick={again}>
                Ask again
              </button>
            }
          >
            <Shown text={outcome.detail} />
          </Verdict>
          <ul>
            {outcome.files.slice(0, 20).map(({ path, state, why }) => (
              <li key={path}>
                <Path path={path} />{' '}
                <span class="quiet">
                  {state.replaceAll('_', ' ')}: <Shown text={why} />
                </span>
              </li>
            ))}
          </ul>
          <p class="quiet">
            <Shown text={next} />
          </p>
        </div>
      );
    case 'unsupported':
      return (
        <Verdict tone="no" title={`Not possible: ${unsupportedWords[outcome.reason]}`}>
          <Shown text={`${outcome.detail}${outcome.install === undefined ? '' : ` · ${outcome.install}`}`} />
        </Verdict>
      );
    case 'needs_decision':
      return (
        <div class="refusal">
          <Verdict tone="ask-you" title="Which one is meant?">
            <Shown text={next} />
          </Verdict>
          {outcome.candidate_sets
            .flatMap(({ members }) => members)
            .slice(0, 20)
            .map(({ id, means, evidence }) => (
              <div key={id}>
                <p>
                  <Shown text={means} />
                </p>
                <Places places={evidence} />
              </div>
            ))}
        </div>
      );
    default:
      return null;
  }
}

function Places({
  places,
}: {
  readonly places: readonly {
    readonly at: { readonly file: string; readonly line: number; readonly col: number };
    readonly text: string;
  }[];
}): VNode {
  return (
    <ul>
      {places.slice(0, 6).map(({ at, text }) => (
        <li key={`${at.file}:${at.line}:${at.col} ${text}`}>
          <figure class="place">
            <figcaption>
              <a href={`/ask?${new URLSearchParams({ at: `${at.file}:${at.line}:${at.col}` })}`}>
                <Path path={at.file} line={at.line} />
              </a>
            </figcaption>
            <Excerpt path={at.file} mark={{ line: at.line }} around={2} />
          </figure>
        </li>
      ))}
    </ul>
  );
}

// ---- history

function History({ plans, open }: { readonly plans: Asked<ChangeAnswerOf<'planList'>>; readonly open: string }): VNode {
  const list = useMemo(() => plans.value?.plans ?? [], [plans.value]);
  return (
    <nav class="plans" aria-label="Plans">
      <h2>{list.length === 0 ? 'No plan yet' : 'Plans, the newest first'}</h2>
      {open === '' ? null : (
        <a class="plan-line" href={addressWith({ plan: '' })}>
          + A new rename
        </a>
      )}
      {list.map((plan) => (
        <a
          key={plan.id}
          class="plan-line"
          href={`/change?${new URLSearchParams({ plan: plan.id })}`}
          aria-current={plan.id === open ? 'true' : undefined}
        >
          <span class="plan-names">
            <span>
              <Shown text={plan.name} />
            </span>{' '}
            <span class="arrow">→</span>{' '}
            <span>
              <Shown text={plan.new_name} />
            </span>
          </span>
          <span class="plan-meta">
            <span class={`badge ${plan.status}`} title={statusWords[plan.status]}>
              {plan.status}
            </span>
            <span>{plural(plan.edits, 'edit')}</span>
            <span>{ago(plan.created_at)}</span>
          </span>
        </a>
      ))}
      {list.length === 0 ? (
        <p class="quiet">
          What is planned here, on the command line or by an agent is listed here with what became of it.
        </p>
      ) : null}
    </nav>
  );
}
