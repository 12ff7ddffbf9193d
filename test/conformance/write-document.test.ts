import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSection } from '../../scripts/conformance/write-document.ts';

test('each run writes its own section and leaves the others as they are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codegenie-test-'));
  const path = join(folder, 'conformance.md');
  try {
    writeSection(path, 'rename', 'Rename', 'first\n');
    writeSection(path, 'capture', 'Capture', 'captured');
    const both = readFileSync(path, 'utf8');
    expect(both.indexOf('## Capture\n\ncaptured\n')).toBeLessThan(both.indexOf('## Rename\n\nfirst\n'));
    writeSection(path, 'rename', 'Rename', 'second');
    expect(readFileSync(path, 'utf8')).toBe(both.replace('Rename\n\nfirst', 'Rename\n\nsecond'));
    // What stands above them may be written by hand.
    const told = readFileSync(path, 'utf8').replace('# Conformance', '# Conformance\n\nBy hand.');
    writeFileSync(path, told);
    writeSection(path, 'rename', 'Rename', 'second');
    expect(readFileSync(path, 'utf8')).toBe(told);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
