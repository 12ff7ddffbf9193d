/** `planMove`: what every surface calls for moving a file. */

import type { Answer } from './answer.ts';
import { MoveInput, type MoveRequest } from './move/request.ts';
import type { RefusedReason } from './outcome.ts';
import { planChange } from './plan-change.ts';
import { withRequestId } from './plans/with-request-id.ts';
import type { MutationWorld } from './world.ts';

export type { MoveRequest };

export function planMove(world: MutationWorld, request: MoveRequest): Promise<Answer> {
  const { apply, request_id, ...asked } = request;
  const input = MoveInput.parse(asked);
  return withRequestId(world, request_id, { op: 'move', ...input, apply }, async () => {
    const answer = await planChange(world, 'move_file', input, { apply });
    const next = answer.outcome.kind === 'refused' ? afterRefused[answer.outcome.reason] : undefined;
    return next === undefined ? answer : { ...answer, next };
  });
}

/** Where the sentence for names does not fit a path. */
const afterRefused: Partial<Record<RefusedReason, string>> = {
  no_symbol: 'Name a file or a directory of the repository.',
  not_renamable: 'Move what the link leads to.',
  invalid_name: 'Choose another path in the repository, of the same language and not ignored.',
  same_name: 'It is there already: there is nothing to do.',
  collision: 'Choose a path that is free, or move the other file first.',
};
