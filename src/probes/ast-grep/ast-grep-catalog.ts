/**
 * Our own rules for ast-grep: places in JavaScript, TypeScript, Python and Go where a program meets the system it runs on, or
 * trusts what it should not. Written for this project. Raise `version` with every change.
 */

import type { JsonObject } from '../../kernel/base/json.ts';

type AstGrepRule = {
  readonly id: string;
  /** One rule is written for a family of grammars and reported once. */
  readonly languages: readonly string[];
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** Every text that the rule matches holds this; a file that does not is not looked at. */
  readonly mention: string;
  /** Every text without syntax errors that it matches holds this, too. */
  readonly form?: string;
  readonly rule: JsonObject;
  readonly constraints?: JsonObject;
};

/** Of the build of ast-grep that runs them (`built-in-scan.ts`); a test compares it with the package. */
export const builtInVersion = '0.45.3';

const script = ['JavaScript', 'TypeScript', 'Tsx'];
const python = ['Python'];
const go = ['Go'];

export const astGrepRulesCatalog: { readonly version: string; readonly rules: readonly AstGrepRule[] } = {
  version: '1.0.0',
  rules: [
    {
      id: 'script-swallowed-error',
      languages: script,
      severity: 'warning',
      message: 'An error is caught and nothing is done about it, not even in words.',
      mention: 'catch',
      // Not where a plain binding is followed by a block that says something.
      form: '(?<![.\\w$])catch\\s*(?:/|\\{\\s*\\}|\\((?!\\s*[\\w$]+\\s*(?::\\s*\\w+\\s*)?\\)\\s*\\{(?!\\s*\\})))',
      // The grammar counts a comment that follows on the same line to the block.
      rule: { kind: 'catch_clause', has: { kind: 'statement_block', regex: '^\\{\\s*\\}' } },
    },
    {
      id: 'script-computed-require',
      languages: script,
      severity: 'info',
      message: 'What is loaded is decided at run time: bundlers and tracers do not see it.',
      mention: '(?:require|import)\\s*[(/]',
      // Not where all that is asked for is a plain text.
      form: '(?:require|import)\\s*(?:/|\\((?!\\s*(?:"[^"\\\\\\n]*"|\'[^\'\\\\\\n]*\')\\s*[,)]))',
      rule: { any: [{ pattern: 'require($NAME)' }, { pattern: 'import($NAME)' }] },
      constraints: { NAME: { not: { any: [{ kind: 'string' }, { regex: '^`[^$]*`$' }] } } },
    },
    {
      id: 'script-signal-handler',
      languages: script,
      severity: 'info',
      message: 'Here the program decides what happens when it is told to stop.',
      mention: 'SIG(?:TERM|INT|HUP|QUIT)',
      rule: { any: [{ pattern: 'process.on($SIGNAL, $$$REST)' }, { pattern: 'process.once($SIGNAL, $$$REST)' }] },
      constraints: { SIGNAL: { regex: '^["\'](?:SIGTERM|SIGINT|SIGHUP|SIGQUIT)["\']$' } },
    },
    {
      id: 'script-document-write',
      languages: script,
      severity: 'warning',
      message: 'Text becomes markup, and markup can hold scripts.',
      mention: 'innerHTML|outerHTML|document',
      form: 'innerHTML|outerHTML|\\bdocument\\b\\s*(?:\\.\\s*(?:write|/)|/)',
      rule: {
        any: [
          { pattern: 'document.write($TEXT)' },
          { pattern: '$ELEMENT.innerHTML = $TEXT' },
          { pattern: '$ELEMENT.outerHTML = $TEXT' },
        ],
      },
      constraints: { TEXT: { not: { any: [{ kind: 'string' }, { regex: '^`[^$]*`$' }] } } },
    },
    {
      id: 'script-throw-literal',
      languages: script,
      severity: 'warning',
      message: 'What is thrown is no Error and carries no stack.',
      mention: 'throw',
      form: 'throw\\s*["\'`0-9./]',
      rule: {
        kind: 'throw_statement',
        has: { any: [{ kind: 'string' }, { kind: 'template_string' }, { kind: 'number' }] },
      },
    },
    {
      id: 'python-shell',
      languages: python,
      severity: 'error',
      message: 'The command goes through a shell, with all that the shell reads into it.',
      mention: 'system|popen|shell',
      rule: {
        any: [
          { pattern: 'os.system($COMMAND)' },
          { pattern: 'os.popen($$$ARGUMENTS)' },
          {
            kind: 'call',
            all: [
              { has: { field: 'function', regex: '^(?:subprocess\\.)?(?:run|call|check_call|check_output|Popen)$' } },
              {
                has: {
                  field: 'arguments',
                  has: { kind: 'keyword_argument', regex: '^shell\\s*=\\s*True$' },
                },
              },
            ],
          },
        ],
      },
    },
    {
      id: 'python-eval',
      languages: python,
      severity: 'error',
      message: 'Code is made of a string at run time.',
      mention: 'eval|exec',
      rule: { any: [{ pattern: 'eval($CODE)' }, { pattern: 'exec($CODE)' }] },
      constraints: { CODE: { not: { kind: 'string' } } },
    },
    {
      id: 'python-unsafe-load',
      languages: python,
      severity: 'error',
      message: 'Reading such data can run code that is in it.',
      mention: 'pickle|marshal|yaml',
      rule: {
        any: [
          { pattern: 'pickle.load($$$ARGUMENTS)' },
          { pattern: 'pickle.loads($$$ARGUMENTS)' },
          { pattern: 'marshal.loads($$$ARGUMENTS)' },
          { pattern: 'yaml.load($TEXT)' },
          { pattern: 'yaml.unsafe_load($$$ARGUMENTS)' },
        ],
      },
    },
    {
      id: 'python-verification-off',
      languages: python,
      severity: 'error',
      message: 'Certificates are not verified.',
      mention: 'verify|_create_unverified_context',
      rule: {
        any: [
          { kind: 'keyword_argument', regex: '^verify\\s*=\\s*False$', inside: { kind: 'argument_list' } },
          { pattern: 'ssl._create_unverified_context($$$ARGUMENTS)' },
        ],
      },
    },
    {
      id: 'python-bare-except',
      languages: python,
      severity: 'warning',
      message: 'Everything is caught, the wish to stop included.',
      mention: 'except\\s*:',
      rule: { kind: 'except_clause', regex: '^except\\s*:' },
    },
    {
      id: 'go-shell',
      languages: go,
      severity: 'warning',
      message: 'A shell is started, which an image without one does not have.',
      mention: 'sh"',
      rule: {
        any: [
          { pattern: 'exec.Command($SHELL, "-c", $$$REST)' },
          { pattern: 'exec.CommandContext($CONTEXT, $SHELL, "-c", $$$REST)' },
        ],
      },
      constraints: { SHELL: { regex: '^"(?:/\\S*/)?(?:ba|da|z)?sh"$' } },
    },
    {
      id: 'go-verification-off',
      languages: go,
      severity: 'error',
      message: 'Certificates are not verified.',
      mention: 'InsecureSkipVerify',
      rule: { kind: 'keyed_element', regex: '^InsecureSkipVerify\\s*:\\s*true$' },
    },
    {
      id: 'go-unsafe-pointer',
      languages: go,
      severity: 'info',
      message: 'The compiler no longer checks what is read here.',
      mention: 'unsafe\\.Pointer\\(',
      rule: {
        any: [{ kind: 'call_expression' }, { kind: 'type_conversion_expression' }],
        regex: '^unsafe\\.Pointer\\(',
      },
    },
  ],
};
