/** What each option of a question means, in words for whoever answers it. */

import type { ItemKind } from '../outcome.ts';

const words: Readonly<Record<string, string>> = {
  rename: 'rename it here too',
  leave: 'leave it as it is',
  accept: 'go on: it does not reach the renamed thing, or that is seen to elsewhere',
  stop: 'give the rename up',
  edit: 'edit the generated file',
  keep_alias: 'keep the public name, as an alias of the new one',
};

const special: Partial<Record<ItemKind, Readonly<Record<string, string>>>> = {
  public_api: {
    rename:
      'rename the public name as well; users of the package have to follow (`--public-names rename` says so at once)',
    keep_alias: 'keep the public name for users of the package, as an alias of the new one',
  },
  structural_tie: {
    rename: 'rename the other side too, with all its uses',
    leave: 'leave the other side as it is',
  },
  generated_code: { edit: 'edit the generated file', leave: 'leave it to the next generation' },
  unreadable_file: { leave: 'leave the file as it is' },
  proof_unavailable: { accept: 'go on without the compiler’s proof' },
};

export function meansOf(kind: ItemKind, option: string): string {
  return special[kind]?.[option] ?? words[option] ?? option;
}
