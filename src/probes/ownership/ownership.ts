/** Who owns what: CODEOWNERS as the forge reads it, how much of the repository it covers, and the service catalog's word on it. */

import { defineProbe } from '../../gather/contract.ts';
import { ownershipFacts } from './ownership-facts.ts';
import { CATALOG_PATH, codeownersPaths, ownershipSection } from './ownership-section.ts';

const literals = [...codeownersPaths, CATALOG_PATH];

export default defineProbe({
  name: 'ownership',
  version: '0.1.0',
  layer: 'E',
  says: 'Owners by path from CODEOWNERS, how much of the repository has one, and the owner the service catalog names.',
  heaviness: 'light',
  sections: { ownership: ownershipSection },
  facts: ownershipFacts,
  declaredInputs: [...literals, 'config:ownership.files', 'names:**'],
  configKeys: ['ownership.files'],
  timeoutSeconds: 30,
  warningIds: [
    'ownership.empty_owners',
    'ownership.additional_codeowners_present',
    'ownership.invalid_pattern',
    'ownership.invalid_owner',
    'ownership.size_cap_exceeded',
    'ownership.unreadable',
    'ownership.catalog_parse_error',
  ],
  confidenceRule: 'high when everything was parsed cleanly; medium when a line or a file could not be used',
  applies: (repo) =>
    repo.config['ownership.files'].length > 0 || literals.some((path) => repo.scope.exists(path)) || 'not_configured',
  async run(repo, ctx) {
    const { gatherOwnership } = await import('./gather-ownership.ts');
    return gatherOwnership(repo, ctx);
  },
  examples: [
    {
      shows: 'the last matching pattern wins; a pattern without owners takes them away',
      files: {
        '.github/CODEOWNERS':
          '# owners\n*.ts @org/web # all of it\n/docs/ docs@example.com\n/docs/drafts/\n/with\\ space/ @someone\n',
        'src/a.ts': '',
        'docs/a.md': '',
        'docs/drafts/b.md': '',
        'drafts/c.md': '',
        'with space/d.md': '',
      },
      gives: {
        ownership: {
          source_path: '.github/CODEOWNERS',
          entries: [
            entry('*.ts', ['@org/web'], 2),
            entry('/docs/', ['docs@example.com'], 3),
            entry('/docs/drafts/', [], 4),
            entry('/with\\ space/', ['@someone'], 5),
          ],
          coverage: { files: 6, owned: 3, unowned_top_dirs: ['.github', 'drafts'] },
          catalog: null,
          also_present: [],
        },
      },
      warnings: ['ownership.empty_owners'],
      confidence: 'high',
    },
    {
      shows: 'the first location wins, the others are named; the catalog says who owns the service',
      files: {
        CODEOWNERS: '* @a\n',
        'docs/CODEOWNERS': '* @b\n',
        'catalog-info.yaml':
          'apiVersion: backstage.io/v1alpha1\nkind: System\nmetadata: {name: shop}\nspec: {owner: group:shop}\n---\napiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: cart}\nspec: {type: service, owner: team-cart, lifecycle: production, system: shop}\n',
      },
      gives: {
        ownership: {
          source_path: 'CODEOWNERS',
          entries: [entry('*', ['@a'], 1)],
          coverage: { files: 3, owned: 3, unowned_top_dirs: [] },
          catalog: { system: 'shop', owner: 'team-cart', lifecycle: 'production' },
          also_present: ['docs/CODEOWNERS'],
        },
      },
      warnings: ['ownership.additional_codeowners_present'],
      confidence: 'high',
    },
    {
      shows: 'a catalog without a component: the first entity that has an owner',
      files: {
        'catalog-info.yaml':
          'kind: Location\nmetadata: {name: all}\nspec: {target: ./b.yaml}\n---\nkind: System\nmetadata: {name: shop}\nspec: {owner: group:shop}\n',
      },
      gives: { ownership: { catalog: { system: 'shop', owner: 'group:shop', lifecycle: null } } },
      warnings: [],
    },
    {
      shows: 'a file that is too large is said to be',
      files: { CODEOWNERS: new Uint8Array(3 * 1024 * 1024 + 1) },
      gives: { ownership: { source_path: 'CODEOWNERS', entries: [] } },
      warnings: ['ownership.size_cap_exceeded'],
      confidence: 'medium',
    },
    {
      shows: 'GitLab: sections, their default owners, exclusions',
      files: {
        '.gitlab/CODEOWNERS': '[Backend][2] @be\n/api/\n!/api/gen/\n^[Docs]\n*.md @docs\n',
        'api/a.go': '',
        'api/gen/b.go': '',
        'api/README.md': '',
      },
      gives: {
        ownership: {
          source_path: '.gitlab/CODEOWNERS',
          entries: [
            { ...entry('/api/', ['@be'], 2), section: 'Backend' },
            { ...entry('!/api/gen/', [], 3), section: 'Backend' },
            { ...entry('*.md', ['@docs'], 5), section: 'Docs' },
          ],
          coverage: { files: 4, owned: 2, unowned_top_dirs: ['.gitlab'] },
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'lines that the forge skips are said: negation, ranges, words that are no owner',
      files: { CODEOWNERS: '* @a\n!/b @b\n/c[0-9] @c\n/d team-d\n' },
      gives: { ownership: { entries: [entry('*', ['@a'], 1), entry('/d', [], 4)] } },
      warnings: ['ownership.empty_owners', 'ownership.invalid_owner', 'ownership.invalid_pattern'],
      confidence: 'medium',
    },
    {
      shows: 'a file named by configuration',
      files: { '.codegenie/config.yaml': 'ownership:\n  files: [team/OWNERS]\n', 'team/OWNERS': '/team/ @a\n' },
      gives: { ownership: { source_path: 'team/OWNERS', entries: [entry('/team/', ['@a'], 1)] } },
      confidence: 'high',
    },
    { shows: 'without any of them it is skipped', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_configured' },
  ],
});

function entry(pattern: string, owners: string[], line: number) {
  return { pattern, owners, line_number: line, section: null as string | null };
}
