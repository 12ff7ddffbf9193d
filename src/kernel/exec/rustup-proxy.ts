/**
 * `~/.cargo/bin/rust-analyzer` is rustup under another name: it picks a toolchain by the directory it is started in, and may download
 * one. What is meant is the program of the user's default toolchain, which is found here without starting anything.
 */

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type RustupProxy =
  | { readonly kind: 'none' }
  | { readonly kind: 'program'; readonly path: string }
  /** The toolchain lacks the component. */
  | { readonly kind: 'absent' };

export function findBehindRustup(path: string): RustupProxy {
  try {
    if (!isRustup(path)) return { kind: 'none' };
    const toolchain = findDefaultToolchain(path);
    if (toolchain === undefined) return { kind: 'absent' };
    const program = join(toolchain, 'bin', basename(path));
    return existsSync(program) ? { kind: 'program', path: program } : { kind: 'absent' };
  } catch {
    return { kind: 'none' };
  }
}

/** `~/.cargo/bin/<any proxy>` → `~/.rustup/toolchains/<default>`. */
export function findDefaultToolchain(proxy: string): string | undefined {
  const home = join(dirname(dirname(dirname(proxy))), '.rustup');
  try {
    const settings = readFileSync(join(home, 'settings.toml'), 'utf8');
    const name = /^default_toolchain\s*=\s*"([A-Za-z0-9._-]+)"/m.exec(settings)?.[1];
    const toolchain = name === undefined ? undefined : join(home, 'toolchains', name);
    return toolchain !== undefined && existsSync(toolchain) ? toolchain : undefined;
  } catch {
    return undefined;
  }
}

/** Proxies are links to rustup, hard or symbolic. */
export function isRustup(path: string): boolean {
  if (basename(realpathSync(path)) === 'rustup') return true;
  const rustup = join(dirname(path), 'rustup');
  if (!existsSync(rustup)) return false;
  const [one, other] = [statSync(path), statSync(rustup)];
  return one.ino === other.ino && one.dev === other.dev;
}
