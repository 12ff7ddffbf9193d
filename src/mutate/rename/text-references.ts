/**
 * `text_reference`: text that no compiler reads names what is renamed: a handler in YAML, a script of `package.json`, a shell script, a
 * template, a schema, a snapshot. Prose is prose. A word is no reference: a text is asked about where it also leads to the module that
 * declares the name, where the name is too peculiar to stand there by chance, or where it is said between the marks of a template.
 */

import { basename, dirname, relative } from 'node:path/posix';
import type { Question } from '../../index/navigate/question.ts';
import { lineNumberAt } from '../../kernel/tree/positions.ts';
import type { CodeSpan, ItemDraft, RenameFindings } from '../compiler/session/messages.ts';
import { placeOf } from '../plans/answers.ts';

/** A text in which the name stands, and where. */
export type NamedText = { readonly path: string; readonly spans: readonly CodeSpan[] };

export function findTextReferences(
  question: Question,
  texts: readonly NamedText[],
  { reach, family, edits, isMember }: Pick<RenameFindings, 'reach' | 'family' | 'edits' | 'isMember'>,
  name: string,
): readonly ItemDraft[] {
  if (reach === 'file') return [];
  const modules = [...new Set([...family.filter(({ outside }) => !outside), ...edits].map(({ path }) => path))];
  const places: Record<Reason, CodeSpan[]> = { leads: [], template: [], peculiar: [] };
  for (const { path, spans } of texts) {
    const text = isProse(question, path) ? undefined : question.source(path)?.text;
    const said = text === undefined ? [] : spans.filter((span) => isWhole(text, span));
    if (text === undefined || said.length === 0) continue;
    const reason = whyAsk(path, text, name, said, isMember ? [] : modules);
    if (reason !== undefined)
      places[reason].push(...said.filter((span) => reason !== 'template' || isMarked(text, span)));
  }
  return reasons.flatMap((reason) => tell(question, places[reason], reasonWords[reason](name)));
}

const reasons = ['leads', 'template', 'peculiar'] as const;
type Reason = (typeof reasons)[number];

const reasonWords: Readonly<Record<Reason, (name: string) => string>> = {
  leads: (name) => `This text leads to the module of \`${name}\` and says the name`,
  template: (name) => `A template looks \`${name}\` up`,
  peculiar: (name) => `Text that the compiler does not read says \`${name}\``,
};

/** For people, or written by tools that write it anew. */
function isProse(question: Question, path: string): boolean {
  const row = question.file(path);
  // Tests compare with a snapshot until a developer writes it anew.
  if (path.endsWith('.snap')) return false;
  if (row === undefined || row.vendored || row.generated || row.language === 'markdown' || row.language === 'css')
    return true;
  return prose.test(path);
}

const prose =
  /(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CHANGE(?:S|LOG)|HISTORY|README|CODEOWNERS|TODO)[^/]*$|\.(?:txt|rst|adoc|md|mdx|map|lock|csv|tsv|log|svg|patch|diff|po|pot|bib|tex)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|\.all-contributorsrc|\.git[\w-]*|cspell[\w.-]*|\.cspell[\w.-]*)$/i;

/** And not a part of a path, of a hyphenated word or of the name of a file. */
export function isWhole(text: string, { start, end }: CodeSpan): boolean {
  return (
    !/[/\\-]/.test(text[start - 1] ?? '') &&
    !/^(?:[/\\-]|(?:\.d)?\.[cm]?[jt]sx?(?![\w$]))/.test(text.slice(end, end + 12))
  );
}

/** Undefined: it is a word like any other. */
export function whyAsk(
  path: string,
  text: string,
  name: string,
  spans: readonly CodeSpan[],
  modules: readonly string[],
): Reason | undefined {
  if (!spans.some((span) => isWhole(text, span))) return undefined;
  if (modules.some((module) => leadsTo(path, text, name, spans, module))) return 'leads';
  if (templates.test(path) && spans.some((span) => isMarked(text, span))) return 'template';
  return isPeculiar(name) ? 'peculiar' : undefined;
}

const templates =
  /\.(?:mustache|handlebars|njk|nunjucks|liquid|twig|jinja2?|j2|tmpl|tpl|pug|jade|erb|haml|slim|eta|dust|marko|ftl|gotmpl)$/i;

/**
 * `src/a`, `./a.js`, `dist/a.js`, `a.main`: its path without an ending, from the root or from the text, or its file's name, a few lines
 * from the name; or the two beside each other.
 */
function leadsTo(path: string, text: string, name: string, spans: readonly CodeSpan[], module: string): boolean {
  const bare = module.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const ending = String.raw`(?:\.(?:d\.)?[cm]?[jt]sx?)`;
  const from = relative(dirname(path), bare);
  const stem = basename(bare) === 'index' ? basename(dirname(bare)) : basename(bare);
  const whole = [...new Set([bare, from])].flatMap((each) =>
    each.includes('/')
      ? [`${literally(each)}${ending}?`]
      : [`${literally(each)}${ending}`, String.raw`\.\/${literally(each)}`],
  );
  const built = String.raw`(?:(?:dist|build|out|lib|\.)\/)?${literally(basename(bare))}${ending}`;
  if (stem === '') return false;
  if (new RegExp(String.raw`(?<![\w$-])${literally(stem)}[.#:@]+${literally(name)}(?![\w$-])`).test(text)) return true;
  const mentions = text.matchAll(
    new RegExp(
      String.raw`(?<![\w$/-])(?:(?:\.{1,2}\/)*|(?:\$\{?\w+\}?)?\/(?:[\w.-]+\/)*)(?:${[...whole, built].join('|')})(?![\w$-])`,
      'g',
    ),
  );
  const lines = [...mentions].slice(0, mentionsMax).map(({ index }) => lineNumberAt(text, index));
  const said = spans.map(({ start }) => lineNumberAt(text, start));
  return said.some((at) => lines.some((line) => Math.abs(line - at) <= linesNear));
}

const linesNear = 5;
/** A text that mentions a module more often than this has said it near the name, or is no reference. */
const mentionsMax = 200;

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Between `{{` and `}}`, `<%` and `%>`, `{%` and `%}`, on one line. */
function isMarked(text: string, { start, end }: CodeSpan): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const line = text.indexOf('\n', end);
  const after = text.slice(end, line < 0 ? undefined : line);
  return marks.some(([open, close]) => before.lastIndexOf(open) > before.lastIndexOf(close) && after.includes(close));
}

const marks = [
  ['{{', '}}'],
  ['<%', '%>'],
  ['{%', '%}'],
] as const;

/** `createApp`, `user_id`: no text has that by chance. One word, however long, is one of a language. */
function isPeculiar(name: string): boolean {
  return name.length >= 6 && /[\p{Ll}\d]\p{Lu}|[\p{L}\d]_[\p{L}\d]/u.test(name);
}

const placesMax = 5;

/** One question with its places. */
function tell(question: Question, spans: readonly CodeSpan[], says: string): readonly ItemDraft[] {
  const [first] = spans;
  if (first === undefined) return [];
  const lines = spans.map((span) => {
    const { file, line } = placeOf(question, span);
    return `${file}:${line}`;
  });
  const distinct = [...new Set(lines)];
  const more = distinct.length > placesMax ? ` and ${distinct.length - placesMax} more` : '';
  const detail = `${says}: ${distinct.slice(0, placesMax).join(', ')}${more}.`;
  return [{ ...first, kind: 'text_reference', detail, edits: {} }];
}
