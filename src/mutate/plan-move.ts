/** `planMove`: what every surface calls for moving a file. */

import type { Answer } from './answer.ts';
import { MoveInput, type MoveRequest } from './move/request.ts';
import { planChange } from './plan-change.ts';
import { withRequestId } from './plans/with-request-id.ts';
import type { MutationWorld } from './world.ts';

export type { MoveRequest };

export function planMove(world: MutationWorld, request: MoveRequest): Promise<Answer> {
  const { apply, request_id, ...asked } = request;
  const input = MoveInput.parse(asked);
  return withRequestId(world, request_id, { op: 'move', ...input, apply }, () =>
    planChange(world, 'move_file', input, { apply }),
  );
}
