/**
 * What a tool says of types, after a renaming. A signature is text: a word in it may be the renamed symbol or another of that name. It is
 * replaced where only one can be meant, left where it is certainly another's, and `Unfit` otherwise. A compiler cuts long types by their
 * length, so a long one may be cut elsewhere once a name is longer or shorter.
 */

import type { ScipSymbol } from '../scip/types.ts';
import { Unfit } from './types.ts';

/** Well below the 160 characters at which the TypeScript compiler begins to cut a type. */
const safeLength = 120;

export type SignatureOwner = {
  /** As the source spells it; null: not known. */
  readonly name: string | null;
  readonly isRenamed: boolean;
  /** A parameter of it is spelled like that: the renamed one, or another. */
  readonly parameter: 'renamed' | 'other' | 'none';
};

/** The text that is stored of a symbol. */
export function saidOf({ signature, documentation }: Pick<ScipSymbol, 'signature' | 'documentation'>): string {
  return signature === '' ? (documentation[0] ?? '') : signature;
}

export function withSaid<T extends Pick<ScipSymbol, 'signature' | 'documentation'>>(info: T, said: string): T {
  if (info.signature !== '') return { ...info, signature: said };
  return { ...info, documentation: [said, ...info.documentation.slice(1)] };
}

export function createSignatures(names: { readonly oldName: string; readonly newName: string }) {
  const { oldName, newName } = names;
  const word = /[\p{ID_Continue}$#]/u;
  const find = (text: string): readonly number[] => {
    const places: number[] = [];
    for (let at = text.indexOf(oldName); at >= 0; at = text.indexOf(oldName, at + 1)) {
      const [before, after] = [text[at - 1] ?? '', text[at + oldName.length] ?? ''];
      if (!word.test(before) && !word.test(after)) places.push(at);
    }
    return places;
  };
  return {
    mentions: (text: string): boolean => find(text).length > 0,
    /** `isOnly`: no other symbol of the program has that name. */
    rewrite(text: string, owner: SignatureOwner, isOnly: boolean): string {
      const places = find(text);
      const chosen: number[] = [];
      let rest = places;
      if (owner.name === oldName) {
        rest = places.slice(1);
        if (owner.isRenamed) chosen.push(...places.slice(0, 1));
      }
      if (rest.length > 0) {
        if (isOnly) chosen.push(...rest);
        else if (rest.length === 1 && owner.parameter !== 'none') {
          if (owner.parameter === 'renamed') chosen.push(...rest);
        } else throw new Unfit('a signature may speak of another symbol of that name');
      }
      const isQuoted = (at: number) => /['"`]/.test(text[at - 1] ?? '') || /['"`]/.test(text[at + oldName.length] ?? '');
      if (chosen.some(isQuoted)) throw new Unfit('a signature has the name in quotes');
      let result = '';
      let end = 0;
      for (const at of chosen) {
        result += text.slice(end, at) + newName;
        end = at + oldName.length;
      }
      result += text.slice(end);
      // What a declaration says of itself is not cut.
      const isWhole = chosen.length === 1 && rest.length === 0;
      if (result !== text && !isWhole && Math.max(result.length, text.length) > safeLength) {
        throw new Unfit('a signature is so long that it may be cut elsewhere');
      }
      return result;
    },
  };
}

export type Signatures = ReturnType<typeof createSignatures>;
