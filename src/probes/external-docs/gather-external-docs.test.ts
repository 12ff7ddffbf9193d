import { expect, test } from 'vitest';
import { makeDocument, type SourceDocument } from './gather-external-docs.ts';

function made(document: Partial<SourceDocument>) {
  return makeDocument({
    source: 'filesystem',
    identity: 'i',
    uri: '/docs/a.md',
    text: '',
    format: 'text',
    ...document,
  });
}

test('markdown: front matter gives title and tags and is not part of the text', () => {
  const document = made({
    text: '---\ntitle: Über den Deploy\ntags: [b, a, b, 3]\n---\n# Other\n\n[x](y)\n\n```\ncode\n```\n',
  });
  expect(document?.artifact).toMatch(/^external-docs\/u-?ber-den-deploy-[0-9a-f]{8}\.md$/);
  expect(document?.facts).toMatchObject({
    title: 'Über den Deploy',
    tags: ['a', 'b'],
    headings: ['Other'],
    links: 1,
    code_blocks: 1,
  });
  expect(new TextDecoder().decode(document?.markdown)).toBe('# Other\n\n[x](y)\n\n```\ncode\n```\n');
});

test('a page is converted; without any title the name serves', () => {
  expect(made({ format: 'html', text: '<title>T</title><h2>H</h2>' })?.facts).toMatchObject({
    title: 'T',
    headings: ['H'],
  });
  expect(made({ text: 'words' })?.facts.title).toBe('a');
  expect(made({ text: 'words', uri: 'https://x.test/' })?.facts.title).toBe('x');
  expect(made({ format: 'html', text: '<b>'.repeat(5000) })).toBeUndefined();
});

test('names are stable, differ by identity, and hold nothing but plain letters', () => {
  const names = ['../../etc/passwd', '✓', 'word '.repeat(100)].map((title) => made({ text: `# ${title}` })?.artifact);
  expect(names[0]).toMatch(/^external-docs\/etc-passwd-[0-9a-f]{8}\.md$/);
  expect(names[1]).toMatch(/^external-docs\/document-[0-9a-f]{8}\.md$/);
  expect(names[2]).toMatch(/^external-docs\/(?:word-){12}[0-9a-f]{8}\.md$/);
  expect(made({ identity: 'j' })?.artifact).not.toBe(made({ identity: 'i' })?.artifact);
  expect(made({ identity: 'i' })?.artifact).toBe(made({ identity: 'i' })?.artifact);
});

test('P8 a key in the title is not in the name of the file', () => {
  const key = ['ghp', 'x7Qm2Lr9Zt4Vb8Nc1Ks6Wd3Fh5Jy0Pa7Ge2U'].join('_');
  expect(made({ text: `# Use ${key}` })?.artifact).toMatch(
    /^external-docs\/use-redacted-fingerprint-[0-9a-f]{8}-[0-9a-f]{8}\.md$/,
  );
});

test('G28 controls and bidi marks are dropped from the text', () => {
  expect(new TextDecoder().decode(made({ text: 'a\u001b[0m\u202eb\n' })?.markdown)).toBe('a[0mb\n');
});
