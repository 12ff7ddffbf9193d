/**
 * The way of the page into a daemon: 127.0.0.1 with a token of this life of the daemon. Promises: a page that a daemon served finds its way
 * back when the daemon was killed and started again, and nobody else does.
 *
 * The token of one life is worth nothing in the next, so a page has to be given the new one, and whoever took the port meanwhile must neither
 * get it nor learn anything by being asked. So a page that holds a token is lent a key, which it keeps in memory alone and the daemon in its
 * state directory. When the page's daemon is gone it asks whoever answers at its address for the token, sealed with that key for this port and
 * this question: only a daemon that has the key can make that, and only the page can open it.
 */

import { createCipheriv, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readOwnTextIfThere } from '../../kernel/base/if-there.ts';
import { z } from '../../kernel/base/schema.ts';
import { OutputRefused, writeAtomically } from '../../kernel/base/write-file.ts';
import { visibleJson } from '../../kernel/secrets/outgoing.ts';
import { createTokenFile, type TcpGuard, type TokenFile } from '../http/tcp-guard.ts';
import { findPageFiles, type PageFiles } from './page-files.ts';

type PageKey = { readonly id: string; readonly key: string };

/** What the HTTP side serves of it. */
export type PageMount = {
  /** Undefined: it was never built. */
  readonly files: () => PageFiles | undefined;
  readonly meet: () => PageKey;
  /** Undefined: no page of that id was ever met here. */
  readonly seal: (id: string, nonce: string) => { readonly iv: string; readonly sealed: string } | undefined;
};

export type OpenDoor = { readonly port: number; readonly tokenFile: string; readonly address: string };

type Listener = { readonly port: number; close(): Promise<void>; cut(): void };

export type PageDoor = {
  /** Where the TCP side listens; null while it does not. */
  readonly port: () => number | null;
  /** `null`: any port, that of the last life first. Opening it twice is opening it once. */
  open(port: number | null): Promise<OpenDoor>;
  /** Of the last life, if pages were open then; tells whether it was opened. */
  openAgain(): Promise<boolean>;
  close(): Promise<void>;
  cut(): void;
};

const Kept = z.object({
  port: z.number().int().min(1).max(65_535),
  /** When a page was last seen. */
  seen: z.number(),
  keys: z.array(z.object({ id: z.string(), key: z.string() })),
});
type Kept = z.infer<typeof Kept>;

const keptMs = 86_400_000;
const mostKeys = 64;

export function createPageDoor(of: {
  readonly stateDir: string;
  readonly rootHash: string;
  readonly nowMs: () => number;
  readonly listen: (guard: TcpGuard, page: PageMount, port: number) => Promise<Listener>;
}): PageDoor {
  const path = `${of.stateDir}/run/page.json`;
  const launcher = `${of.stateDir}/run/page.html`;
  let file: TokenFile | undefined;
  let listener: Listener | undefined;
  let opening: Promise<OpenDoor> | undefined;
  let files: PageFiles | undefined;
  let kept = readKept(path, of.nowMs());

  const keep = (next: Kept) => {
    kept = next;
    writeAtomically(path, visibleJson(next), { durable: false });
  };
  const portOf = () => listener?.port ?? 0;
  const page: PageMount = {
    files: () => {
      files ??= findPageFiles();
      return files;
    },
    meet() {
      const made = { id: randomBytes(9).toString('base64url'), key: randomBytes(32).toString('base64url') };
      keep({ port: portOf(), seen: of.nowMs(), keys: [...(kept?.keys ?? []), made].slice(-mostKeys) });
      return made;
    },
    seal(id, nonce) {
      const found = kept?.keys.find((one) => one.id === id);
      if (found === undefined || file === undefined) return undefined;
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(found.key, 'base64url'), iv);
      cipher.setAAD(Buffer.from(`${nonce}.${portOf()}`));
      const sealed = Buffer.concat([cipher.update(file.token, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { iv: iv.toString('base64url'), sealed: sealed.toString('base64url') };
    },
  };

  const listenAt = async (port: number): Promise<OpenDoor> => {
    file = createTokenFile(of.stateDir);
    const { token } = file;
    try {
      listener = await of.listen({ token, rootHash: of.rootHash, port: portOf }, page, port);
    } catch (error) {
      file.remove();
      file = undefined;
      throw error;
    }
    const address = `http://127.0.0.1:${listener.port}/#${token}.${of.rootHash}`;
    // A browser is started with this file: the arguments of a process are seen by every user of the machine.
    writeAtomically(
      launcher,
      `<!doctype html><meta charset="utf-8"><title>codegenie</title><meta http-equiv="refresh" content="0;url=${address}">\n`,
      { durable: false },
    );
    return { port: listener.port, tokenFile: file.path, address };
  };
  const openOnce = (port: () => Promise<OpenDoor>): Promise<OpenDoor> => {
    opening ??= port().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    port: () => listener?.port ?? null,
    open: (port) =>
      openOnce(async () => {
        if (port !== null) return listenAt(port);
        if (kept !== undefined) {
          try {
            return await listenAt(kept.port);
          } catch (error) {
            if (!(error instanceof OutputRefused)) throw error;
          }
        }
        return listenAt(0);
      }),
    async openAgain() {
      const again = kept;
      if (again === undefined) return false;
      try {
        await openOnce(() => listenAt(again.port));
        return true;
      } catch (error) {
        // Another program has the port: pages of this tree are opened anew by `codegenie ui`.
        if (error instanceof OutputRefused) return false;
        throw error;
      }
    },
    async close() {
      await listener?.close();
      file?.remove();
      rmSync(launcher, { force: true });
    },
    cut: () => listener?.cut(),
  };
}

function readKept(path: string, nowMs: number): Kept | undefined {
  try {
    const read = Kept.safeParse(JSON.parse(readOwnTextIfThere(path) ?? 'null'));
    return read.success && nowMs - read.data.seen < keptMs ? read.data : undefined;
  } catch {
    return undefined;
  }
}
