/** `planRename`: what every surface calls for a rename. */

import type { Answer } from './answer.ts';
import { planChange } from './plan-change.ts';
import { withRequestId } from './plans/with-request-id.ts';
import { RenameInput, type RenameRequest } from './rename/request.ts';
import type { MutationWorld } from './world.ts';

export type { RenameRequest };

export function planRename(world: MutationWorld, request: RenameRequest): Promise<Answer> {
  const { apply, request_id, ...asked } = request;
  const input = RenameInput.parse(asked);
  return withRequestId(world, request_id, { op: 'rename', ...input, apply }, () =>
    planChange(world, 'rename', input, { apply }),
  );
}
