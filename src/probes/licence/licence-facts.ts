/** The licence, as a fact: what the manifest declares and what the text is have to agree. */

import { factsOf, isProduct, known, none, type Spine, type Statement, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { type LicenceSection, licenceSection } from './licence-section.ts';

export const licenceFacts = factsOf('licence', licenceSection, [
  {
    id: 'licence',
    says: 'Under which licence the code is given: an SPDX expression.',
    of: 'the repository, or a component with a licence of its own',
    value: z.string(),
    from: 'licence texts, manifests, the README’s section about it',
    rollup: 'above',
    state: (section, spine) => {
      const root = stateRoot(section, spine);
      const own = spine.components
        .filter((component) => component.dir !== '.' && isProduct(component))
        .flatMap(({ dir }) => stateComponent(section, dir, root) ?? []);
      return [root, ...own];
    },
  },
]);

type Text = LicenceSection['texts'][number];
type Declared = LicenceSection['declared'][number];

function stateRoot(section: LicenceSection, spine: Spine): Statement {
  const own = stateDirectory(section, '.');
  if (own !== undefined) return own;
  const products = spine.components.filter(isProduct).map(({ dir }) => dir);
  const told = section.declared.filter(({ path }) => products.includes(directoryOf(path)));
  const [first] = told;
  const agreed = new Set(told.map(({ spdx }) => spdx));
  if (first?.spdx != null && agreed.size === 1) {
    const evidence = told.slice(0, 5).map(claimOfField);
    return known('.', first.spdx, { because: 'follows', how: 'manifests of its packages agree', evidence });
  }
  const { readme } = section;
  if (readme?.spdx != null) {
    const evidence = [{ path: readme.path, line: readme.line, shows: readme.written }];
    return known('.', readme.spdx, { because: 'follows', how: 'the README names it; there is no text', evidence });
  }
  if (first !== undefined || readme !== null || section.texts.length > 0)
    return unknown('.', { because: 'incomplete', how: 'a licence is spoken of, and which one is not clear' });
  return none('.', { because: 'looked', how: 'no text, no manifest and no section of the README names one' });
}

/** A component that says nothing else than the repository has no fact of its own. */
function stateComponent(section: LicenceSection, dir: string, root: Statement): Statement | undefined {
  const own = stateDirectory(section, dir);
  if (own === undefined || own.state !== 'known' || own.value === root.value) return undefined;
  if (root.state !== 'known' || section.texts.some(({ path }) => directoryOf(path) === dir)) return own;
  return { ...own, because: 'resembles', how: `${own.how}; the repository’s own is ${String(root.value)}` };
}

function stateDirectory(section: LicenceSection, dir: string): Statement | undefined {
  const texts = section.texts.filter(({ path }) => directoryOf(path) === dir);
  const recognised = texts.filter((text): text is Text & { spdx: string } => text.spdx !== null);
  const declared = section.declared.filter(({ path }) => directoryOf(path) === dir);
  const said = declared.find(({ spdx }) => spdx !== null);
  const ids = [...new Set(recognised.map(({ spdx }) => spdx))].sort();
  if (said !== undefined) return stateDeclared(dir, said, recognised, ids);
  const [only] = ids;
  if (only === undefined) return undefined;
  const evidence = recognised.map(claimOf);
  // A family’s text does not say whether later versions are allowed; prose around a text may take some of it away.
  if (ids.length === 1) {
    const isPlain = recognised.every(({ alone }) => alone) && texts.length === recognised.length;
    const because = !isPlain ? 'resembles' : /GPL/.test(only) ? 'follows' : 'declared';
    return known(dir, only, { because, how: 'the text of the licence', evidence });
  }
  // The lesser licence is written as permissions on top of the other.
  const lesser = ids.find((id) => id.startsWith('LGPL'));
  if (lesser !== undefined && ids.length === 2 && ids.some((id) => id.startsWith('GPL')))
    return known(dir, lesser, { because: 'follows', how: 'the lesser licence and the one it builds on', evidence });
  const named = recognised.every(({ path }) => /(?:[-_.](?:mit|apache|bsd)|^(?:.*\/)?unlicense)/i.test(path));
  return named
    ? known(dir, ids.join(' OR '), { because: 'convention', how: 'one text for each licence to choose from', evidence })
    : unknown(dir, { because: 'incomplete', how: `several texts: ${ids.join(', ')}` });
}

function stateDeclared(dir: string, declared: Declared, texts: readonly Text[], ids: readonly string[]): Statement {
  const { path, spdx } = declared;
  const evidence = [claimOfField(declared), ...texts.map(claimOf)];
  const value = spdx ?? '';
  const parts = new Set(value.split(/ (?:OR|AND|WITH) /).map(family));
  if (ids.every((id) => parts.has(family(id)))) {
    // What `npm init` writes by default.
    const isDefault = value === 'ISC' && ids.length === 0 && path.endsWith('package.json');
    const how = isDefault ? 'declared in the manifest, which says so by default' : 'declared in the manifest';
    return known(dir, value, { because: isDefault ? 'resembles' : 'declared', how, evidence });
  }
  const [text] = ids;
  if (ids.length > 1 || text === undefined)
    return unknown(dir, { because: 'incomplete', how: `the manifest says ${value}, texts are ${ids.join(', ')}` });
  const isDefault = value === 'ISC' && path.endsWith('package.json');
  return known(dir, text, {
    because: isDefault ? 'follows' : 'resembles',
    how: `the text of the licence; the manifest says ${value}`,
    evidence: texts.map(claimOf),
  });
}

const family = (id: string): string => id.replace(/-(?:only|or-later)$/, '');

/** The field itself, where it is written as people write it. */
function claimOfField({ path, written }: Declared) {
  return { path, shows: [`"license": "${written}"`, `license = "${written}"`, written] };
}

function claimOf({ path, line, shows }: Text) {
  return { path, line: line ?? 1, shows: shows ?? '' };
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}
