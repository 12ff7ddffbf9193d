/** Lines of one file as they are on disk now, for reading beside an answer; what is secret in them is masked, character by character. */

import { findTargetFile } from '../../index/navigate/question-target.ts';
import { findSecretSpans, maskSpans } from '../../index/text/redact-secrets.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { truncate } from '../../kernel/base/text.ts';
import { isSecretBearing } from '../../kernel/tree/content-kind.ts';
import { languageOf } from '../../languages/file-language.ts';
import { hasSyntax } from '../../languages/languages.ts';
import { shown } from './answer-words.ts';
import { describeFile, FileHead, renderFileHead } from './file-head.ts';
import { targetFields } from './input.ts';
import { defineOperation } from './operation.ts';

const mostLines = 5_000;
const mostChars = 2_000;

export default defineOperation({
  name: 'text',
  says: 'Lines of one file as they are on disk, with secrets masked',
  input: strictInput({
    ...targetFields,
    /** The first line wanted. */
    from: z.number().int().min(1).optional(),
    /** How many lines from there. */
    lines: z.number().int().min(1).max(mostLines).optional(),
  }),
  output: z.object({
    file: FileHead,
    /** The number of the first line here. */
    from: z.number().int(),
    /** A line of more than 2,000 characters is cut, and ends in `…`. */
    lines: z.array(z.string()),
    /** Lines of the whole file; null where it cannot be read as text. */
    total: z.number().int().nullable(),
    /** Something here is masked by asterisks. */
    masked: z.boolean(),
  }),
  async run(view, input) {
    const found = view.read((session) => findTargetFile(session, view, input));
    if (!('file' in found)) return found;
    const { path, contentHash, skipReason } = found.file;
    const isSecret = skipReason === 'secret' || isSecretBearing(path, hasSyntax(languageOf(path) ?? ''));
    const source = isSecret ? undefined : view.readText(path);
    const isChanged = source === undefined ? false : blake3Hex(source.bytes) !== contentHash;
    const file = describeFile(view, found, isChanged);
    const from = input.from ?? 1;
    if (source === undefined) return { file, from, lines: [], total: null, masked: false };
    // As long as the text itself, so places in it stay true.
    const secrets = findSecretSpans(source.text, source.bytes);
    const all = maskSpans(source.text, secrets).split('\n');
    if (all.at(-1) === '') all.pop();
    const lines = all.slice(from - 1, from - 1 + (input.lines ?? mostLines));
    return {
      file,
      from,
      lines: lines.map((line) => truncate(line.replace(/\r$/, ''), mostChars)),
      total: all.length,
      masked: secrets.length > 0,
    };
  },
  render: ({ file, from, lines }) =>
    [renderFileHead(file), ...lines.map((line, at) => `${from + at}: ${shown(line)}`)].join('\n'),
});
