/**
 * fast-check as this suite uses it: `npm test` draws the same cases on every run, so its verdict is about the code and not about luck.
 * A new seed comes with a commit; `npm run soak` draws new cases (CODEGENIE_SEED=random) and a case that fails there becomes an example
 * here. A case that does not end fails by itself and is printed; CODEGENIE_SHRINK=1 looks for a smaller one.
 */

import fc from 'fast-check';

const wanted = process.env['CODEGENIE_SEED'] ?? '20261117';

fc.configureGlobal({
  ...(wanted === 'random' ? {} : { seed: Number(wanted) }),
  // Of one case. The longest take seconds on a busy machine.
  timeout: 50_000,
  endOnFailure: process.env['CODEGENIE_SHRINK'] === undefined,
});

export default fc;
