/** How many there are, and whether that is all: `=` where nothing could add to it, `≥` with the reasons why something could. Null is not zero. */

import type { VNode } from 'preact';
import type { AnswerOf } from '../ask.ts';
import { Shown } from './shown.tsx';

type Count = AnswerOf<'refs'>['count'];

export function CountOf({
  count: { value, relation, unresolved },
  what,
}: {
  readonly count: Count;
  readonly what: string;
}): VNode {
  return (
    <div class="count-of">
      {value === null ? (
        <strong>not known yet: {what}s</strong>
      ) : (
        <>
          <strong>
            {relation === 'eq' ? '=' : '≥'} {value.toLocaleString('en')}
          </strong>{' '}
          {value === 1 ? what : `${what}s`}
          <span class="quiet">{relation === 'eq' ? ' · exact' : ' · at least'}</span>
        </>
      )}
      {unresolved.length === 0 ? null : (
        <ul class="reasons">
          {unresolved.slice(0, 5).map((reason) => (
            <li key={reason}>
              <Shown text={reason} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
