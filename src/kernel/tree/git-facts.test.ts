import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratchTree, type ScratchTree } from '../../../test/support/scratch-tree.ts';
import { gitSignature } from './git-facts.ts';

let tree: ScratchTree;
beforeEach(() => {
  tree = createScratchTree();
  tree.write('a.ts');
  tree.commit();
});
afterEach(() => tree.dispose());

/** Each of these steps changes the signature of this root, and the question alone does not. */
function expectChanges(root: string, steps: readonly (() => unknown)[]): void {
  let last = gitSignature(root);
  for (const step of steps) {
    expect(gitSignature(root)).toBe(last);
    step();
    const next = gitSignature(root);
    expect(next, String(step)).not.toBe(last);
    last = next;
  }
}

test('add, commit, checkout, branch switch, reset and detached HEAD change it', () => {
  expectChanges(tree.root, [
    () => tree.write('b.ts') ?? tree.git('add', '-A'),
    () => tree.git('commit', '-qm', 'two'),
    () => tree.git('commit', '-q', '--allow-empty', '-m', 'three'),
    () => tree.git('checkout', '-q', '-b', 'side'),
    () => tree.git('pack-refs', '--all'),
    () => tree.git('commit', '-q', '--allow-empty', '-m', 'four'),
    () => tree.git('reset', '-q', '--soft', 'HEAD~1'),
    () => tree.git('checkout', '-q', '--detach'),
    () => tree.git('rm', '-q', '--cached', 'a.ts'),
  ]);
});

test('files and refs that are not HEAD leave it alone', () => {
  const before = gitSignature(tree.root);
  tree.write('new.ts');
  tree.git('branch', 'other');
  tree.git('tag', 'v1');
  expect(gitSignature(tree.root)).toBe(before);
});

test('F9 a linked work tree has its own HEAD and index, and the refs of its repository', () => {
  const linked = join(tree.place, 'linked');
  tree.git('worktree', 'add', '-q', '-b', 'side', linked);
  const main = gitSignature(tree.root);
  writeFileSync(join(linked, 'b.ts'), '');
  expectChanges(linked, [
    () => tree.git('-C', linked, 'add', 'b.ts'),
    () => tree.git('-C', linked, 'commit', '-qm', 'two'),
    () => tree.git('-C', linked, 'checkout', '-q', '--detach'),
  ]);
  expect(gitSignature(tree.root)).toBe(main);
});

test('without git, with a broken .git, and on an unborn HEAD it answers', () => {
  const other = createScratchTree();
  try {
    expectChanges(other.root, [() => other.write('a.ts') ?? other.git('add', '-A'), () => other.commit()]);
    rmSync(join(other.root, '.git'), { recursive: true });
    expect(gitSignature(other.root)).toBe(gitSignature(other.root));
    writeFileSync(join(other.root, '.git'), 'gitdir: \0nowhere\n');
    expect(gitSignature(other.root)).toBeTypeOf('string');
    writeFileSync(join(other.root, '.git'), 'gitdir: ../nowhere\n');
    expect(gitSignature(other.root)).toBeTypeOf('string');
  } finally {
    other.dispose();
  }
});
