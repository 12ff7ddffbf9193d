/** Which resolver answers for which language: `<name>-resolve.ts` of its folder (`npm run gen`). */

import {
  type CreateResolve,
  type ImportRequest,
  type Resolution,
  type Resolve,
  type ResolveWorld,
  unresolved,
} from './resolution.ts';
import { resolvers } from './resolvers.gen.ts';

export type Resolver = (language: string | null, from: string, request: ImportRequest) => Resolution;

/** Languages of one family share one resolver and what it has read. What has no resolver has no imports that mean files. */
export function createResolver(world: ResolveWorld): Resolver {
  const made = new Map<CreateResolve, Resolve>();
  return (language, from, request) => {
    const create = language !== null && Object.hasOwn(resolvers, language) ? resolvers[language] : undefined;
    if (create === undefined) return unresolved('not_found');
    let resolve = made.get(create);
    if (resolve === undefined) {
      resolve = create(world);
      made.set(create, resolve);
    }
    return resolve(from, request);
  };
}
