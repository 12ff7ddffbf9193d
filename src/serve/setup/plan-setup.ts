/** What would be written to a client's file, shown before anything is. */

import { readFileSync } from 'node:fs';
import { type Client, type ClientName, clients, type Machine, type ServerCommand } from './clients.ts';
import { jsonEditor } from './edit-json.ts';
import type { EditOutcome } from './edit-outcome.ts';
import { tomlEditor } from './edit-toml.ts';
import { findTarget } from './find-target.ts';
import { hashOf, readRecord } from './setup-record.ts';
import { unifiedDiff } from './unified-diff.ts';

export type SetupAsk = {
  readonly client: ClientName;
  readonly remove: boolean;
  readonly machine: Machine;
  readonly server: ServerCommand;
};

export type SetupPlan =
  | { readonly kind: 'refused'; readonly path: string; readonly why: string }
  | { readonly kind: 'nothing'; readonly path: string; readonly why: string }
  | {
      readonly kind: 'planned';
      readonly path: string;
      /** The file itself, where `path` is a link to it. */
      readonly target: string;
      readonly mode: number;
      /** Null: there is none. */
      readonly before: Buffer | null;
      readonly after: Buffer | null;
      readonly diff: string;
    };

const maxBytes = 64 * 1024 * 1024;

export async function planSetup(ask: SetupAsk): Promise<SetupPlan> {
  const client = clients[ask.client];
  const { path, base } = client.file(ask.machine);
  const refused = (why: string): SetupPlan => ({ kind: 'refused', path, why });
  const found = findTarget(path, base);
  if (found.kind === 'refused') return refused(found.why);
  const { path: target, mode } = found;
  const before = found.exists ? readFileSync(target) : null;
  if (before !== null && before.length > maxBytes) return refused('is too large to be edited');
  const planned = (after: Buffer | null): SetupPlan => {
    const diff = unifiedDiff(path, before?.toString('utf8') ?? '', after?.toString('utf8') ?? '');
    return { kind: 'planned', path, target, mode, before, after, diff };
  };

  const record = ask.remove ? readRecord(ask.machine.home, ask.client) : undefined;
  // Nobody has touched it since: it becomes again what it was, also where it was not there.
  if (record !== undefined && before !== null && record.path === target && record.afterHash === hashOf(before))
    return planned(record.before);

  const text = decode(before ?? Buffer.alloc(0));
  if (text === undefined) return refused('is not UTF-8 text');
  const edited = await edit(ask, client, text.body);
  switch (edited.kind) {
    case 'refused':
      return refused(edited.why);
    case 'unchanged':
      return { kind: 'nothing', path, why: ask.remove ? 'there is no such entry' : 'it is set up already' };
    case 'edited':
      return planned(Buffer.from(`${text.mark}${edited.text}`));
  }
}

function edit({ remove, server }: SetupAsk, client: Client, text: string): Promise<EditOutcome> {
  const editor = client.format === 'json' ? jsonEditor : tomlEditor;
  return remove ? editor.remove(text, client.at) : editor.add(text, client.at, client.entry(server));
}

/** What there is to write by hand. */
export async function snippetOf(client: Client, server: ServerCommand): Promise<string> {
  const editor = client.format === 'json' ? jsonEditor : tomlEditor;
  const edited = await editor.add('', client.at, client.entry(server));
  return edited.kind === 'edited' ? edited.text : '';
}

const byteOrderMark = '\ufeff';

function decode(bytes: Buffer): { readonly mark: string; readonly body: string } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(byteOrderMark) ? { mark: byteOrderMark, body: text.slice(1) } : { mark: '', body: text };
  } catch {
    return undefined;
  }
}
