/** A picture of the tree that can be entered: folders, files and what they declare, by lines, with the imports between them. */

import './map.css';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type AnswerOf, ask, askFacts, type Facts, isAmbiguous } from '../ask.ts';
import { freshness } from '../parts/freshness.ts';
import { type Edge, layImports } from '../parts/layers.ts';
import { savePicture } from '../parts/picture.ts';
import { plural, Shown, shownText } from '../parts/shown.tsx';
import { ProblemState, State, Waiting } from '../parts/state.tsx';
import { type Box, countSeen, layTreemap, nextCell } from '../parts/treemap.ts';
import type { RoomProps, Status } from '../shell.tsx';
import { addressWith, go, useAnswer } from '../use.ts';

type Level = AnswerOf<'map'>;
type Child = Level['children'][number];
type Sums = Omit<Child, 'name' | 'path' | 'kind'>;
type Outline = AnswerOf<'outline'>;

/** What is drawn, of whatever it is. */
type Cell = {
  readonly key: string;
  readonly name: string;
  /** Lines. */
  readonly weight: number;
  /** The same in words, where it is known. */
  readonly size: string;
  /** What it is, in words: for labels and the list. */
  readonly says: string;
  /** What the colour says, in words. */
  readonly value: string;
  readonly fill: string;
  readonly address: string;
  readonly isPart?: boolean;
};
type Scene = {
  readonly cells: readonly Cell[];
  /** What the answer takes together, without a cell of its own. */
  readonly rest: { readonly count: number; readonly weight: number };
  readonly legend: readonly { readonly fill: string; readonly says: string }[];
  readonly edges: readonly Edge[];
  readonly noun: string;
};

const colours = { language: 'language', tests: 'tests', generated: 'generated code', freshness: 'freshness' } as const;
type Colour = keyof typeof colours;

export default function MapRoom({ query, status }: RoomProps): VNode {
  const path = query.get('in') ?? '';
  const file = query.get('file');
  const by = query.get('by') ?? '';
  const colour: Colour = Object.hasOwn(colours, by) ? (by as Colour) : 'language';
  return file === null ? (
    <Folder key={path} path={path} colour={colour} status={status.value} />
  ) : (
    <File key={file} path={file} />
  );
}

function Folder({
  path,
  colour,
  status,
}: {
  readonly path: string;
  readonly colour: Colour;
  readonly status: Status | undefined;
}): VNode {
  const level = useAnswer<Level>(
    path,
    async (signal) => {
      const answer = await ask('map', path === '' ? {} : { path }, { signal });
      if (isAmbiguous(answer)) throw new Error(answer.message);
      return answer;
    },
    ['reconcile', 'job'],
  );
  const facts = useAnswer<Facts>('facts', askFacts, ['gather']);
  const scopes = useMemo(() => new Set(facts.value?.facts.map(({ scope }) => scope)), [facts.value]);
  const scene = useMemo(
    () => (level.value === undefined ? undefined : sceneOf(level.value, colour, status, scopes)),
    [level.value, colour, status, scopes],
  );
  if (level.value === undefined || scene === undefined)
    return level.problem === undefined ? (
      <Waiting says="Drawing the map" />
    ) : (
      <div>
        <Trail path={path} />
        <ProblemState problem={level.problem} again={level.again} />
      </div>
    );
  const { sums, count, more_imports: more } = level.value;
  if (sums.files === 0)
    return (
      <State title="There is nothing to draw">
        <p>No file is in scope. Add files, or look whether an ignore rule leaves everything out.</p>
      </State>
    );
  return (
    <Drawn
      path={path}
      scene={scene}
      says={`${plural(sums.files, 'file')} · ${plural(sums.lines, 'line')} · ${plural(sums.symbols, 'symbol')}${
        sums.uncounted === 0 ? '' : ` · lines of ${plural(sums.uncounted, 'file')} are not known`
      }`}
      controls={
        <label class="field map-colour">
          <span>Coloured by</span>
          <select
            value={colour}
            onChange={(event) =>
              go(
                addressWith({ by: event.currentTarget.value === 'language' ? '' : event.currentTarget.value }),
                'replace',
              )
            }
          >
            {Object.entries(colours).map(([name, says]) => (
              <option key={name} value={name}>
                {says}
              </option>
            ))}
          </select>
        </label>
      }
      foot={
        <>
          {facts.value === undefined && facts.problem !== undefined ? (
            <p class="quiet">
              Which folders are components is known when facts are gathered: see <a href="/facts">Facts</a>.
            </p>
          ) : null}
          <Imports edges={scene.edges} count={count} more={more} />
        </>
      }
    />
  );
}

function File({ path }: { readonly path: string }): VNode {
  const outline = useAnswer<Outline>(
    path,
    async (signal) => {
      const answer = await ask('outline', { path }, { signal });
      if (isAmbiguous(answer)) throw new Error(answer.message);
      return answer;
    },
    ['reconcile'],
  );
  const scene = useMemo(() => (outline.value === undefined ? undefined : sceneOfFile(outline.value)), [outline.value]);
  const head = outline.value?.file;
  if (head === undefined || scene === undefined)
    return outline.problem === undefined ? (
      <Waiting says="Drawing the map" />
    ) : (
      <div>
        <Trail path={path} />
        <ProblemState problem={outline.problem} again={outline.again} />
      </div>
    );
  const says = [
    head.language ?? 'no known language',
    ...head.marks,
    ...(head.lines === null ? [] : [plural(head.lines, 'line')]),
    plural(scene.cells.length, 'declaration'),
    ...(head.missing === null ? [] : [head.missing]),
  ].join(' · ');
  const read = (
    <a class="button" href={`/ask?${new URLSearchParams({ at: `${head.path}:1:1` })}`}>
      Read it in Ask
    </a>
  );
  return (
    <Drawn
      path={path}
      scene={scene}
      says={says}
      controls={read}
      foot={
        scene.cells.length === 0 ? (
          <p class="quiet">Nothing that is declared at the top of this file is known.</p>
        ) : null
      }
    />
  );
}

// ---- what is drawn

function sceneOf(level: Level, colour: Colour, status: Status | undefined, scopes: ReadonlySet<string>): Scene {
  const languages = [...(status?.languages ?? [])]
    .filter(({ language }) => language !== null)
    .sort((a, b) => b.files - a.files || ((a.language ?? '') < (b.language ?? '') ? -1 : 1))
    .map(({ language }) => language);
  const paintOf = (sums: Sums) => paints[colour](sums, languages);
  const cells = level.children.map((child): Cell => {
    const { fill, says: value } = paintOf(child);
    const isPart = child.kind === 'folder' && scopes.has(child.path);
    const size = child.uncounted === child.files ? 'lines not known' : plural(child.lines, 'line');
    const by = colour === 'language' ? {} : { by: colour };
    return {
      key: child.name,
      name: child.kind === 'folder' ? `${child.name}/` : child.name,
      weight: child.lines,
      size,
      says: [
        ...(child.kind === 'folder'
          ? [isPart ? 'folder, a component' : 'folder', plural(child.files, 'file')]
          : ['file']),
        size,
        plural(child.symbols, 'symbol'),
      ].join(', '),
      value,
      fill,
      isPart,
      address: `/map?${new URLSearchParams(child.kind === 'folder' ? { in: child.path, ...by } : { file: child.path, ...by })}`,
    };
  });
  const legend = new Map<string, string>();
  for (const child of level.children) {
    const { fill, legend: says } = paintOf(child);
    legend.set(fill, says);
  }
  return {
    cells,
    rest: { count: level.rest?.children ?? 0, weight: level.rest?.lines ?? 0 },
    legend: [...legend].map(([fill, says]) => ({ fill, says })).sort((a, b) => (a.fill < b.fill ? -1 : 1)),
    edges: level.imports,
    noun: 'smaller one',
  };
}

type Paint = { readonly fill: string; readonly says: string; readonly legend: string };
const namedLanguages = 8;

const paints: Readonly<Record<Colour, (sums: Sums, languages: readonly (string | null)[]) => Paint>> = {
  language({ languages: [most, ...others] }, order) {
    const name = most?.language ?? null;
    const at = name === null ? -1 : order.indexOf(name);
    const says = name ?? 'no known language';
    return {
      fill: at < 0 || at >= namedLanguages ? 'lang-other' : `lang-${at}`,
      says: others.length === 0 ? says : `mostly ${says}`,
      legend: at < 0 || at >= namedLanguages ? 'others' : says,
    };
  },
  tests: ({ test, lines, files }) => shareOf(test, { lines, files }, 'tests'),
  generated: ({ generated, lines, files }) => shareOf(generated, { lines, files }, 'generated'),
  freshness({ by_freshness: counts, files }) {
    const words = Object.keys(freshness) as (keyof typeof freshness)[];
    const most = words.reduce((best, word) => (counts[word] > counts[best] ? word : best), 'clean' as const);
    const { says, shape, means } = freshness[most];
    return {
      fill: `fresh-${most}`,
      says: counts[most] === files ? `${shape} ${says}` : `${shape} ${says}: ${counts[most]} of ${files}`,
      legend: `${shape} mostly ${says} – ${means}`,
    };
  },
};

/** By lines; by files where none has lines. */
function shareOf(
  part: { readonly files: number; readonly lines: number },
  whole: { readonly files: number; readonly lines: number },
  noun: string,
): Paint {
  const share = whole.lines > 0 ? part.lines / whole.lines : part.files / Math.max(1, whole.files);
  const step = part.files === 0 ? 0 : share < 0.25 ? 1 : share < 0.6 ? 2 : share < 1 ? 3 : 4;
  const legend = ['no', 'less than 25 %', '25 to 60 %', 'more than 60 %', 'all'][step] as string;
  const says =
    step === 0
      ? `no ${noun}`
      : step === 4
        ? `all ${noun}`
        : `${share < 0.01 ? '< 1' : Math.floor(share * 100)} % ${noun}`;
  return { fill: `step-${step}`, says, legend: `${legend} ${noun}` };
}

function sceneOfFile({ file, symbols }: Outline): Scene {
  const cells = symbols
    .filter(({ depth }) => depth === 0)
    .map((symbol): Cell => {
      const { kind, name, name_path, overload, line, col, from_line, to_line, exported } = symbol;
      const lines = from_line === null || to_line === null ? null : to_line - from_line + 1;
      const size = lines === null ? 'lines not known' : plural(lines, 'line');
      return {
        key: `${name_path} ${overload} ${line}:${col}`,
        name,
        weight: lines ?? 1,
        size,
        says: [kind, size, ...(exported ? ['exported'] : [])].join(', '),
        value: kind,
        fill: exported ? 'step-2' : 'step-0',
        address: `/ask?${new URLSearchParams({ q: name_path, at: `${file.path}:${line}:${col}` })}`,
      };
    })
    .sort((a, b) => b.weight - a.weight);
  return {
    cells,
    rest: { count: 0, weight: 0 },
    legend: [
      { fill: 'step-2', says: 'exported' },
      { fill: 'step-0', says: 'of the file alone' },
    ].filter(({ fill }) => cells.some((cell) => cell.fill === fill)),
    edges: [],
    noun: 'smaller declaration',
  };
}

// ---- the drawing

/** The folder above, with the same colours; undefined at the root. */
function above(path: string): string | undefined {
  if (path === '') return undefined;
  return addressWith({ in: path.slice(0, Math.max(0, path.lastIndexOf('/'))), file: '' });
}

/** Which cell has the keyboard's attention next: whoever goes on by keys stays in the picture. */
let wanted: { readonly name: string | undefined } | undefined;

function Drawn({
  path,
  scene,
  says,
  controls,
  foot,
}: {
  readonly path: string;
  readonly scene: Scene;
  readonly says: string;
  readonly controls: VNode;
  readonly foot: VNode | null;
}): VNode {
  const drawing = useRef<SVGSVGElement>(null);
  const [problem, setProblem] = useState<string>();
  const save = (kind: 'svg' | 'png') => {
    if (drawing.current === null) return;
    const name =
      path
        .split('/')
        .pop()
        ?.replaceAll(/[^\w.-]+/g, '_') ?? '';
    savePicture(drawing.current, `map-${name === '' ? 'root' : name}`, kind).then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(String(error)),
    );
  };
  const press = (event: KeyboardEvent) => {
    const up = above(path);
    const isTyping = event.target instanceof Element && event.target.closest('input, select') !== null;
    if (event.key !== 'Backspace' || isTyping || up === undefined) return;
    event.preventDefault();
    wanted = { name: path.split('/').pop() };
    go(up);
  };
  return (
    // Keys of whatever inside has the focus.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div class="map" onKeyDown={press}>
      <div class="heading">
        <div class="map-title">
          <Trail path={path} />
          <p class="quiet">{says}</p>
        </div>
        <div class="map-controls">
          {controls}
          <button type="button" onClick={() => save('svg')}>
            SVG
          </button>
          <button type="button" onClick={() => save('png')}>
            PNG
          </button>
        </div>
        {problem === undefined ? null : (
          <p role="alert" class="notice">
            {problem}
          </p>
        )}
      </div>
      <div class="map-body">
        <Treemap drawing={drawing} scene={scene} label={path === '' ? 'the repository' : shownText(path)} />
        <List scene={scene} />
      </div>
      <ul class="map-legend" aria-label="Colours">
        {scene.legend.map(({ fill, says: what }) => (
          <li key={fill}>
            <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
              <rect class={fill} width="12" height="12" rx="2" />
            </svg>
            {what}
          </li>
        ))}
      </ul>
      {foot}
    </div>
  );
}

function Trail({ path }: { readonly path: string }): VNode {
  const parts = path === '' ? [] : path.split('/');
  return (
    <nav class="map-trail" aria-label="Where this is">
      <ol>
        <li>
          {parts.length === 0 ? (
            <h1 aria-current="page">The repository</h1>
          ) : (
            <a href={addressWith({ in: '', file: '' })}>The repository</a>
          )}
        </li>
        {parts.map((part, at) => (
          <li key={parts.slice(0, at + 1).join('/')}>
            {at === parts.length - 1 ? (
              <h1 aria-current="page">
                <Shown text={part} />
              </h1>
            ) : (
              <a href={addressWith({ in: parts.slice(0, at + 1).join('/'), file: '' })}>
                <Shown text={part} />
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function useSize(): readonly [
  (element: HTMLElement | null) => void,
  { readonly width: number; readonly height: number },
] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, size];
}

/** Smaller cells could neither be read nor met. */
const smallestArea = 24 * 24;
const gap = 1;
const keys = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const;

function Treemap({
  drawing,
  scene,
  label,
}: {
  readonly drawing: { current: SVGSVGElement | null };
  readonly scene: Scene;
  readonly label: string;
}): VNode {
  const [frame, { width, height }] = useSize();
  const [active, setActive] = useState(0);
  const [looked, setLooked] = useState<string>();
  const { cells, rest } = scene;
  const { seen, boxes, merged } = useMemo(() => {
    // What has no lines is still there.
    const weights = cells.map(({ weight }) => Math.max(1, weight));
    const area = width * height;
    const count = countSeen(weights, rest.weight, area, smallestArea);
    const others = weights.slice(count).reduce((sum, weight) => sum + weight, rest.weight);
    const mergedCount = weights.length - count + rest.count;
    const shownSum = weights.slice(0, count).reduce((sum, weight) => sum + weight, 0);
    // However little they are together, their cell can be read.
    const least = (shownSum * smallestArea * 3) / Math.max(1, area);
    const last = mergedCount === 0 ? [] : [Math.max(others, least, 1)];
    const order = [...weights.slice(0, count), ...last].map((weight, at) => ({ weight, at }));
    order.sort((a, b) => b.weight - a.weight);
    const laid = layTreemap(
      order.map(({ weight }) => weight),
      { x: 0, y: 0, width, height },
    );
    const placed: Box[] = [];
    for (const [at, { at: of }] of order.entries()) placed[of] = laid[at] as Box;
    return { seen: cells.slice(0, count), boxes: placed, merged: mergedCount };
  }, [cells, rest, width, height]);
  const current = Math.min(active, Math.max(0, seen.length - 1));
  const focusOn = (at: number) => {
    setActive(at);
    drawing.current?.querySelector<SVGElement>(`[data-at="${at}"]`)?.focus();
  };
  useEffect(() => {
    if (wanted === undefined || seen.length === 0) return;
    const { name } = wanted;
    wanted = undefined;
    focusOn(
      Math.max(
        0,
        seen.findIndex(({ key }) => key === name),
      ),
    );
  }, [seen]);
  const press = (event: KeyboardEvent) => {
    const cell = seen[current];
    if (cell === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      wanted = cell.address.startsWith('/map') ? { name: undefined } : undefined;
      go(cell.address);
    } else if (event.key === 'Home') focusOn(0);
    else if (event.key === 'End') focusOn(seen.length - 1);
    else if (Object.hasOwn(keys, event.key))
      focusOn(nextCell(boxes.slice(0, seen.length), current, keys[event.key as keyof typeof keys]));
    else return;
    event.preventDefault();
  };
  const arrows = looked === undefined ? [] : arrowsOf(looked, scene.edges, seen, boxes);
  return (
    <div class="map-frame" ref={frame}>
      {/* A group of links in a drawing; no part of a form. */}
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <svg
        ref={(element) => {
          drawing.current = element;
        }}
        class="map-drawing"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`Map of ${label}: arrow keys move, Enter goes in, Backspace goes out`}
        onKeyDown={press}
      >
        <defs>
          <marker id="map-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path class="map-arrow-head" d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {width === 0
          ? null
          : seen.map((cell, at) => (
              <CellLink
                key={cell.key}
                cell={cell}
                box={boxes[at] as Box}
                at={at}
                isActive={at === current}
                onLook={(isOn) => {
                  if (isOn) setLooked(cell.key);
                  else setLooked((before) => (before === cell.key ? undefined : before));
                }}
                onFocus={() => setActive(at)}
              />
            ))}
        {merged === 0 || width === 0 ? null : (
          <Merged box={boxes[seen.length] as Box} says={plural(merged, scene.noun)} />
        )}
        {/* Apart from the links, whose labels say all of it; nothing in here takes the focus. */}
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: see above */}
        <g aria-hidden="true">
          {width === 0
            ? null
            : seen.map((cell, at) => <Lines key={cell.key} box={boxes[at] as Box} lines={linesOf(cell)} />)}
          {merged === 0 || width === 0 ? null : (
            <Lines box={boxes[seen.length] as Box} lines={[plural(merged, scene.noun)]} />
          )}
        </g>
        {arrows.map(({ key, path: line, isBack }) => (
          <path key={key} class={isBack ? 'map-arrow back' : 'map-arrow'} d={line} marker-end="url(#map-arrow)" />
        ))}
      </svg>
    </div>
  );
}

function CellLink({
  cell,
  box,
  at,
  isActive,
  onLook,
  onFocus,
}: {
  readonly cell: Cell;
  readonly box: Box;
  readonly at: number;
  readonly isActive: boolean;
  readonly onLook: (isOn: boolean) => void;
  readonly onFocus: () => void;
}): VNode {
  const says = `${shownText(cell.name)}: ${cell.says}; ${cell.value}`;
  return (
    <a
      class="map-cell"
      href={cell.address}
      tabIndex={isActive ? 0 : -1}
      data-at={at}
      aria-label={says}
      onMouseEnter={() => onLook(true)}
      onMouseLeave={() => onLook(false)}
      onFocus={() => {
        onFocus();
        onLook(true);
      }}
      onBlur={() => onLook(false)}
    >
      <title>{says}</title>
      <BoxOf box={box} fill={cell.fill} />
    </a>
  );
}

function Merged({ box, says }: { readonly box: Box; readonly says: string }): VNode {
  return (
    <g>
      <title>{says}</title>
      <BoxOf box={box} fill="map-merged" />
    </g>
  );
}

function BoxOf({ box, fill }: { readonly box: Box; readonly fill: string }): VNode {
  return (
    <rect
      class={fill}
      x={box.x + gap}
      y={box.y + gap}
      width={Math.max(0, box.width - 2 * gap)}
      height={Math.max(0, box.height - 2 * gap)}
      rx="3"
    />
  );
}

const linesOf = ({ name, value, size }: Cell): readonly string[] => [shownText(name), value, size];

/** As many as there is room for, each cut where the cell ends. */
function Lines({ box, lines }: { readonly box: Box; readonly lines: readonly string[] }): VNode {
  const chars = Math.floor((box.width - 12) / 7);
  const room = Math.floor((box.height - 6) / 15);
  if (chars < 3) return <g />;
  return (
    <g>
      {lines.slice(0, Math.max(0, room)).map((line, at) => {
        const letters = [...line];
        const text = letters.length <= chars ? line : `${letters.slice(0, chars - 1).join('')}…`;
        return (
          <text
            key={`${at} ${line}`}
            class={at === 0 ? 'map-name' : 'map-value'}
            x={box.x + 7}
            y={box.y + 17 + at * 15}
          >
            {text}
          </text>
        );
      })}
    </g>
  );
}

/** From the cell that is looked at to what it imports, and to it from what imports it. */
function arrowsOf(name: string, edges: readonly Edge[], seen: readonly Cell[], boxes: readonly Box[]) {
  const places = new Map(seen.map(({ key }, at) => [key, boxes[at] as Box]));
  const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });
  return edges
    .filter(({ from, to }) => (from === name || to === name) && places.has(from) && places.has(to))
    .slice(0, 40)
    .map(({ from, to }) => {
      const [a, b] = [middle(places.get(from) as Box), middle(places.get(to) as Box)];
      // Bent to one side, so that the two of a pair lie apart.
      const bend = { x: (a.x + b.x) / 2 + (b.y - a.y) * 0.15, y: (a.y + b.y) / 2 - (b.x - a.x) * 0.15 };
      return { key: `${from}\n${to}`, isBack: to === name, path: `M${a.x} ${a.y}Q${bend.x} ${bend.y} ${b.x} ${b.y}` };
    });
}

// ---- the same in words

const listed = 400;

function List({ scene: { cells, rest, noun } }: { readonly scene: Scene }): VNode {
  const left = Math.max(0, cells.length - listed) + rest.count;
  return (
    <section class="map-list" aria-label="What is here">
      <ul>
        {cells.slice(0, listed).map((cell) => (
          <li key={cell.key}>
            <a href={cell.address}>
              <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
                <rect class={cell.fill} width="12" height="12" rx="2" />
              </svg>
              <span class="map-list-name">
                <Shown text={cell.name} />
                {cell.isPart === true ? <span class="kind">component</span> : null}
              </span>
              <span class="quiet">
                {cell.says} · {cell.value}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {left === 0 ? null : <p class="quiet">and {plural(left, noun)}</p>}
    </section>
  );
}

const shownImports = 200;

function Imports({
  edges,
  count,
  more,
}: {
  readonly edges: readonly Edge[];
  readonly count: Level['count'];
  readonly more: number;
}): VNode {
  const { layers, groupOf } = useMemo(() => layImports(edges), [edges]);
  // The most first.
  const bySource = useMemo(() => Map.groupBy(edges.slice(0, shownImports), ({ from }) => from), [edges]);
  const isCycle = ({ from, to }: Edge) => groupOf.get(from) === groupOf.get(to);
  const cycles = layers.flat().filter((group) => group.length > 1).length;
  return (
    <section class="map-imports">
      <h2>
        Imports between them
        <span class="quiet">
          {' '}
          {count.relation === 'eq' ? '=' : '≥'} {count.value.toLocaleString('en')}
        </span>
      </h2>
      {count.unresolved.length === 0 ? null : (
        <ul class="reasons">
          {count.unresolved.map((why) => (
            <li key={why}>{why}</li>
          ))}
        </ul>
      )}
      {cycles === 0 ? null : (
        <p class="notice">
          <strong>↻ {plural(cycles, 'cycle')}</strong>: what is marked imports each other, directly or by way of others.
        </p>
      )}
      <ol class="map-layers">
        {layers.map((layer, depth) => (
          <li key={depth}>
            <span class="quiet">{depth === 0 ? 'Imported by none of the others' : `Layer ${depth + 1}`}</span>
            <ul>
              {layer.map((group) => (
                <li key={group.join('\n')} class={group.length > 1 ? 'cycle' : undefined}>
                  {group.map((name) => {
                    const own = bySource.get(name) ?? [];
                    return (
                      <div key={name}>
                        <strong>
                          <Shown text={name} />
                        </strong>
                        {own.length === 0 ? null : ' → '}
                        {own.map((edge, at) => (
                          <span key={edge.to} class={isCycle(edge) ? 'cyclic' : undefined}>
                            {at === 0 ? '' : ', '}
                            {isCycle(edge) ? '↻ ' : ''}
                            <Shown text={edge.to} /> <span class="quiet">{edge.count.toLocaleString('en')}</span>
                          </span>
                        ))}
                      </div>
                    );
                  })}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {edges.length + more <= shownImports ? null : (
        <p class="quiet">
          and {plural(edges.length + more - shownImports, 'more pair')} with no more imports than these
        </p>
      )}
    </section>
  );
}
