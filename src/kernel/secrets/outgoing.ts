/**
 * The last door of every answer (gather.md §7.3): what a command prints and what is served over HTTP and to tools passes here.
 * Promises: no token that is known by its own letters leaves, whether it stood in a name, a message or a value; nothing reorders or hides
 * what a reader sees; JSON stays JSON. It is a second look: what is stored and shown is redacted with its surroundings where it is made.
 */

import { showHidden } from '../base/text.ts';
import { findTokensAnywhere } from './find-secrets.ts';
import { replaceFound } from './redact-string.ts';

/** The writer of all JSON that is printed or served. What would hide is written as an escape, and reads back the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleText(JSON.stringify(value, null, indent) ?? '');
}

/** The same of text, and of JSON that another program's code has written: whole lines or whole documents. */
export function visibleText(text: string): string {
  return showHidden(replaceFound(text, findTokensAnywhere).text);
}
