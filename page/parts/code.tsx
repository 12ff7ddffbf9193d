/** Lines of a file with their numbers, in colour where there is a parser, some of them marked. */

import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ask, isAmbiguous } from '../ask.ts';
import { addressWith, useAnswer } from '../use.ts';
import type { Piece } from './highlight.ts';
import { Shown } from './shown.tsx';

export type Mark = { readonly line: number; readonly col?: number; readonly endCol?: number };

function CodeLines({
  path,
  from,
  lines,
  marks = [],
  hasLinks = false,
}: {
  readonly path: string;
  readonly from: number;
  readonly lines: readonly string[];
  readonly marks?: readonly Mark[];
  /** Names lead to what is known of them. */
  readonly hasLinks?: boolean;
}): VNode {
  const text = lines.join('\n');
  const pieces = useColours(path, text);
  const byLine = useMemo(() => new Map(marks.map((mark) => [mark.line, mark])), [marks]);
  return (
    // A region that scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="code" aria-label={`${path}, from line ${from}`} tabIndex={0}>
      <table>
        <tbody>
          {lines.map((line, at) => {
            const mark = byLine.get(from + at);
            return (
              <tr key={from + at} class={mark === undefined ? undefined : 'marked'}>
                <td class="number">{from + at}</td>
                <td class="line">
                  <LineText
                    line={line}
                    pieces={pieces?.[at]}
                    mark={mark}
                    linkTo={hasLinks ? `${path}:${from + at}` : undefined}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function LineText({
  line,
  pieces,
  mark,
  linkTo,
}: {
  readonly line: string;
  readonly pieces: readonly Piece[] | undefined;
  readonly mark: Mark | undefined;
  readonly linkTo: string | undefined;
}): VNode {
  const parts = cut(pieces ?? [{ text: line, look: '' }], mark);
  let col = 1;
  return (
    <>
      {parts.map(({ text, look, isMarked }, at) => {
        const start = col;
        col += text.length;
        const isName =
          linkTo !== undefined && pieces !== undefined && !/keyword|string|comment|number|bool/i.test(look);
        const shown = isName ? <Names text={text} at={linkTo} col={start} /> : <Shown text={text} />;
        const body = look === '' ? shown : <span class={look}>{shown}</span>;
        return isMarked ? <mark key={at}>{body}</mark> : <span key={at}>{body}</span>;
      })}
    </>
  );
}

/** For a hand that points; who has a keyboard has the lists of places beside the code. */
function Names({ text, at, col }: { readonly text: string; readonly at: string; readonly col: number }): VNode {
  let start = col;
  return (
    <>
      {text.split(/([\p{L}_$][\p{L}\p{N}_$]*)/u).map((part, index) => {
        const place = `${at}:${start}`;
        start += part.length;
        if (index % 2 === 0) return <Shown key={place} text={part} />;
        const address =
          location.pathname === '/ask' ? addressWith({ at: place }) : `/ask?${new URLSearchParams({ at: place })}`;
        return (
          <a key={place} class="name" href={address} tabIndex={-1}>
            {part}
          </a>
        );
      })}
    </>
  );
}

/** Pieces, cut where the mark begins and ends. */
function cut(pieces: readonly Piece[], mark: Mark | undefined): readonly (Piece & { readonly isMarked: boolean })[] {
  if (mark?.col === undefined || mark.endCol === undefined)
    return pieces.map((piece) => ({ ...piece, isMarked: false }));
  const [start, end] = [mark.col - 1, mark.endCol - 1];
  let at = 0;
  return pieces.flatMap(({ text, look }) => {
    const begin = at;
    at += text.length;
    const cuts = [
      0,
      Math.min(Math.max(start - begin, 0), text.length),
      Math.min(Math.max(end - begin, 0), text.length),
      text.length,
    ];
    return [0, 1, 2].flatMap((part) => {
      const piece = text.slice(cuts[part], cuts[part + 1]);
      return piece === '' ? [] : [{ text: piece, look, isMarked: part === 1 }];
    });
  });
}

/** Undefined until the parser is here, and where there is none. */
function useColours(path: string, text: string): readonly (readonly Piece[])[] | undefined {
  const [coloured, set] = useState<{ readonly of: string; readonly lines: readonly (readonly Piece[])[] }>();
  useEffect(() => {
    let isOver = false;
    void import('./highlight.ts').then(async ({ parserOf, colour }) => {
      const parser = await parserOf(path);
      if (!isOver && parser !== undefined) set({ of: text, lines: colour(text, parser) });
    });
    return () => {
      isOver = true;
    };
  }, [path, text]);
  return coloured?.of === text ? coloured.lines : undefined;
}

/** A few lines around a place, read from disk now. */
export function Excerpt({
  path,
  mark,
  around = 4,
  hasLinks = false,
}: {
  readonly path: string;
  readonly mark: Mark;
  readonly around?: number;
  readonly hasLinks?: boolean;
}): VNode {
  const from = Math.max(1, mark.line - around);
  const answer = useAnswer(
    `text ${path} ${from} ${around}`,
    (signal) => ask('text', { path, from, lines: around * 2 + 1 }, { signal }),
    ['reconcile'],
  );
  const marks = useMemo(() => [mark], [mark.line, mark.col, mark.endCol]);
  const { value, problem } = answer;
  if (problem !== undefined && value === undefined) return <p class="quiet">{problem.message}</p>;
  if (value === undefined) return <div class="code waiting" aria-busy="true" />;
  if (isAmbiguous(value)) return <p class="quiet">{value.message}</p>;
  if (value.total === null) return <p class="quiet">Not shown: {value.file.missing ?? 'it cannot be read as text'}.</p>;
  if (value.lines.length === 0) return <p class="quiet">The file has only {value.total} lines now.</p>;
  return <CodeLines path={path} from={value.from} lines={value.lines} marks={marks} hasLinks={hasLinks} />;
}
