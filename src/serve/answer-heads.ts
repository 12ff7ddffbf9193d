/** What every answer begins with. */

import { z } from '../kernel/base/schema.ts';
import { Freshness, RepoHead } from './operations/operation.ts';

export const heads = z.object({ outcome: z.literal('ok'), repo: RepoHead, freshness: Freshness });

export const changeHeads = z.object({ repo: RepoHead, freshness: Freshness });
