/** What is shown where there is nothing to show: each says what is so and what to do. */

import type { ComponentChildren, VNode } from 'preact';
import type { Problem } from '../session.ts';

export function State({
  title,
  children,
  action,
  isAlert,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly action?: { readonly says: string; readonly act: () => void } | undefined;
  readonly isAlert?: boolean;
}): VNode {
  return (
    <div class="state" role={isAlert === true ? 'alert' : 'status'}>
      <h2>{title}</h2>
      <div class="state-says">{children}</div>
      {action === undefined ? null : (
        <button type="button" class="primary" onClick={action.act}>
          {action.says}
        </button>
      )}
    </div>
  );
}

/** What went wrong with a question, in the daemon's own words. */
export function ProblemState({ problem, again }: { readonly problem: Problem; readonly again: () => void }): VNode {
  if (problem.outcome === 'busy')
    return (
      <State title="The index is being built" action={{ says: 'Ask again', act: again }}>
        <p>{problem.message}. The page asks again by itself when something changes.</p>
      </State>
    );
  return (
    <State title="This could not be answered" action={{ says: 'Ask again', act: again }} isAlert>
      <p>{problem.message}</p>
      {problem.accepted.length === 0 ? null : <p class="quiet">Accepted: {problem.accepted.slice(0, 8).join(', ')}</p>}
    </State>
  );
}

export function Waiting({ says }: { readonly says: string }): VNode {
  return (
    <div class="waiting-state" role="status" aria-live="polite">
      <span class="spinner" aria-hidden="true" /> {says}
    </div>
  );
}
