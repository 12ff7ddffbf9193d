/** E9 in Python, where a rename rests on the index: without patched facts the second of two renames would have to wait for scip-python. */

import { afterEach, expect, test } from 'vitest';
import { dumpOf, freshDump, origins, rename } from '../support/patched-facts.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';
import { hasTool } from '../support/tools.ts';

const files = {
  'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\n',
  'shop/__init__.py': '',
  'shop/base.py': `class Base:
    def __init__(self, size: int) -> None:
        self.size = size

    def area(self, scale: int) -> int:
        result = self.size * scale
        return result


class Sub(Base):
    def area(self, scale: int) -> int:
        return super().area(scale) + 1


def helper(start: int) -> Base:
    return Sub(start)


TOTAL = 3
`,
  'main.py': `from shop.base import TOTAL, Sub, helper

one = Sub(TOTAL)
print(one.area(2), helper(start=TOTAL).area(1))
`,
};

let repo: SemanticRepo | undefined;
afterEach(async () => {
  await repo?.dispose();
  repo = undefined;
});

const steps = [
  ['shop/base.py:def «helper»', 'assist'],
  ['shop/base.py:class «Base»', 'Root'],
  ['shop/base.py:«TOTAL» = 3', 'LIMIT'],
  ['shop/base.py:«result» = self', 'product'],
  ['shop/base.py:def «area»(self, scale: int) -> int:\n        product', 'surface'],
  ['shop/base.py:assist(«start»', 'begin'],
  ['shop/base.py:self.«size» = size', 'extent'],
] as const;

test.skipIf(!hasTool('scip-python'))('E9 one rename after the other in Python needs no refresh', async () => {
  const made = createSemanticRepo(files);
  repo = made;
  await made.index();
  for (const [at, to] of steps) {
    await rename(made, at, to);
    expect(await made.unsettled(), at).toEqual({});
    const patched = await dumpOf(made.root, made.stateDir);
    const fresh = await freshDump(made.root, made.stateDir, made.base);
    expect(patched.split('\n'), at).toEqual(fresh.split('\n'));
  }
  expect((await origins(made.root, made.stateDir, ['shop/base.py']))['shop/base.py']).toEqual(['patched']);
});
