/**
 * `text_reference` inside code: templates, queries and code that are written as strings. The compiler sees text; what reads it at run time looks
 * members up by their names: bindings of markup, fields of GraphQL, columns of SQL.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { RenameWorld } from '../job/job-types.ts';
import type { ItemDraft } from '../session/messages.ts';
import { type Site, tellFirst, walkNodes } from './doubted-family.ts';

const K = ts.SyntaxKind;

export function findNamesInTemplates(world: RenameWorld): readonly ItemDraft[] {
  const { oldName } = world;
  if (world.reach === 'file' || oldName.startsWith('#')) return [];
  const languages = createLanguages(oldName);
  const sites: Site[] = [];
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || file.isDeclarationFile || !file.text.includes(oldName)) continue;
      walkNodes(file, (node) => {
        const text = textOf(node);
        if (text === undefined || !text.includes(oldName)) return;
        const language = languages.find(({ isIn }) => isIn(node, text));
        if (language?.says.test(text) === true) sites.push({ path, node });
      });
    }
  const distinct = sites.filter(
    ({ path, node }, at) => sites.findIndex((one) => one.path === path && one.node.pos === node.pos) === at,
  );
  return tellFirst('text_reference', distinct, `This text says \`${oldName}\` to what reads it when the program runs`);
}

/** A string, or a template with what stands in its holes left out. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return node.kind === K.TemplateExpression ? node.getText() : undefined;
}

type TextLanguage = { readonly isIn: (node: ts.Node, text: string) => boolean; readonly says: RegExp };

function createLanguages(name: string): readonly TextLanguage[] {
  const word = String.raw`(?<![\w$-])${name.replaceAll('$', String.raw`\$`)}(?![\w$-])`;
  const binding = String.raw`(?:[.@:?*#]|\[\(?|\()${word}\)?\]?\s*=`;
  const directive = String.raw`\s(?:v-[\w:.-]+|ng-[\w-]+|x-[\w:.-]+|\*\w+|[@:][\w:.-]+|\[\(?[\w.-]+\)?\]|\([\w.-]+\)|on\w+)\s*=\s*(?:"[^"]*${word}|'[^']*${word})`;
  const ofElement = String.raw`<\w+-[\w-]*(?:\s[^<>]*)?\s${word}\s*=`;
  return [
    { isIn: isCode, says: new RegExp(word) },
    { isIn: (node, text) => tagOf(node) === 'query' || isQuery.test(text), says: new RegExp(word) },
    {
      isIn: (node, text) => tagOf(node) === 'markup' || isTemplate(node) || /<\/?[\w-]+|\{\{/.test(text),
      says: new RegExp(
        String.raw`\{\{[^{}]*${word}[^{}]*\}\}|\{%[^{}]*${word}[^{}]*%\}|${binding}|${directive}|${ofElement}`,
      ),
    },
  ];
}

/** `new Function("…")`, `eval("…")`, `vm.runInThisContext("…")`. */
function isCode({ parent }: ts.Node): boolean {
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
  return /^(?:(?:globalThis|window)\.)?(?:Function|eval)$|(?:^|\.)(?:runIn\w*Context|Script|compileFunction)$/.test(
    parent.expression.getText(),
  );
}

const isQuery =
  /^\s*(?:select\s[\s\S]*\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|create\s+(?:table|index|view)\s|alter\s+table\s)|^\s*(?:query|mutation|subscription|fragment)\b[^{]*\{/i;

function tagOf({ parent }: ts.Node): 'query' | 'markup' | undefined {
  if (parent.kind !== K.TaggedTemplateExpression) return undefined;
  const tag = (parent as unknown as { readonly tag: ts.Node }).tag.getText();
  if (/(?:^|\.)(?:gql|graphql|sql)$/i.test(tag)) return 'query';
  return /(?:^|\.)(?:html|svg|mathml|vue|hbs|handlebars|template|xml)$/i.test(tag) ? 'markup' : undefined;
}

/** `@Component({ template: "…" })`, `defineComponent({ template: "…" })`. */
function isTemplate({ parent }: ts.Node): boolean {
  return ts.isPropertyAssignment(parent) && parent.name.getText() === 'template';
}
