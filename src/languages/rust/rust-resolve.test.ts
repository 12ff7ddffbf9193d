import { expect, test } from 'vitest';
import { answerOf, filesOf, resolveIn } from '../../../test/support/check-resolve.ts';
import type { ImportKind } from '../facts.ts';
import createRustResolve from './rust-resolve.ts';

const workspace = {
  ...filesOf(
    'shop/src/lib.rs',
    'shop/src/main.rs',
    'shop/src/orders.rs',
    'shop/src/orders/line.rs',
    'shop/src/db/mod.rs',
  ),
  ...filesOf('shop/src/db/pool.rs', 'shop/src/inline/leaf.rs', 'shop/src/bin/tool.rs', 'shop/src/bin/big/main.rs'),
  ...filesOf(
    'shop/src/bin/big/part.rs',
    'shop/tests/it.rs',
    'shop/tests/common/mod.rs',
    'shop/build.rs',
    'kit/lib/kit.rs',
  ),
  ...filesOf('kit/lib/util.rs', 'renamed/src/lib.rs', 'renamed/src/x.rs', 'other/src/lib.rs', 'twin1/src/lib.rs'),
  ...filesOf('twin2/src/lib.rs', 'shop/gen/tables.rs'),
  'Cargo.toml': '[workspace]\nmembers = ["*"]\n[workspace.dependencies]\nkit-core = { path = "kit" }\n',
  'shop/Cargo.toml':
    '[package]\nname = "acme-shop"\n[dependencies]\nserde = "1"\nkit-core.workspace = true\n' +
    'nick = { path = "../renamed", package = "long-name" }\n[target."cfg(unix)".dependencies]\nlibc = "0.2"\n',
  'kit/Cargo.toml': '[package]\nname = "kit-core"\n[lib]\npath = "lib/kit.rs"\n',
  'renamed/Cargo.toml': '[package]\nname = "long-name"\n',
  'other/Cargo.toml': '[package]\nname = "other"\n',
  'twin1/Cargo.toml': '[package]\nname = "twin"\n',
  'twin2/Cargo.toml': '[package]\nname = "twin"\n',
};

const check = (kind: ImportKind) => (from: string, specifier: string, answer: string) =>
  expect(answerOf(createRustResolve, { files: workspace }, from, specifier, { kind })).toBe(answer);

test.each([
  ['shop/src/lib.rs', 'orders', 'shop/src/orders.rs'],
  ['shop/src/lib.rs', 'db', 'shop/src/db/mod.rs'],
  ['shop/src/lib.rs', 'inline::leaf', 'shop/src/inline/leaf.rs'],
  ['shop/src/orders.rs', 'line', 'shop/src/orders/line.rs'],
  ['shop/src/db/mod.rs', 'pool', 'shop/src/db/pool.rs'],
  ['shop/src/bin/big/main.rs', 'part', 'shop/src/bin/big/part.rs'],
  ['shop/tests/it.rs', 'common', 'shop/tests/common/mod.rs'],
  ['shop/src/lib.rs', 'path:../gen/tables.rs', 'shop/gen/tables.rs'],
  ['shop/src/lib.rs', 'path:../../../tables.rs', 'outside_root'],
  ['shop/src/lib.rs', 'r#none', 'not_found'],
])('S4: %s declares mod %s: %s', check('mod'));

test.each([
  ['shop/src/db/pool.rs', 'crate::orders::line::Line', 'shop/src/orders/line.rs'],
  ['shop/src/db/pool.rs', 'crate::orders::Order', 'shop/src/orders.rs'],
  ['shop/src/db/pool.rs', 'crate::db', 'shop/src/db/mod.rs'],
  ['shop/src/db/pool.rs', 'crate::Error', 'shop/src/lib.rs'],
  ['shop/src/main.rs', 'crate::Error', 'shop/src/main.rs'],
  ['shop/src/main.rs', 'crate::orders', 'shop/src/orders.rs'],
  ['shop/src/orders.rs', 'self::line::Line', 'shop/src/orders/line.rs'],
  ['shop/src/orders.rs', 'self', 'shop/src/orders.rs'],
  ['shop/src/orders/line.rs', 'super', 'shop/src/orders.rs'],
  ['shop/src/orders/line.rs', 'super::Order', 'shop/src/orders.rs'],
  ['shop/src/orders/line.rs', 'super::super::db::pool::Pool', 'shop/src/db/pool.rs'],
  ['shop/src/orders/line.rs', 'super::super::super::x', 'not_found'],
  ['shop/src/db/mod.rs', 'super::orders', 'shop/src/orders.rs'],
  ['shop/src/db/mod.rs', 'pool::Pool', 'shop/src/db/pool.rs'],
  ['shop/src/bin/big/part.rs', 'crate::x', 'shop/src/bin/big/main.rs'],
  ['shop/src/bin/tool.rs', 'acme_shop::orders::Order', 'shop/src/orders.rs'],
  ['shop/tests/it.rs', 'acme_shop::Error', 'shop/src/lib.rs'],
  ['shop/src/lib.rs', 'kit_core::util::f', 'kit/lib/util.rs'],
  ['shop/src/lib.rs', 'kit_core::f', 'kit/lib/kit.rs'],
  ['shop/src/lib.rs', 'nick::x::Y', 'renamed/src/x.rs'],
  ['shop/src/lib.rs', 'other::Thing', 'other/src/lib.rs'],
  ['shop/src/lib.rs', 'twin::Thing', 'ambiguous twin'],
  ['twin2/src/lib.rs', 'twin::Thing', 'twin2/src/lib.rs'],
  ['shop/src/lib.rs', 'serde::Deserialize', 'external serde'],
  ['shop/src/lib.rs', '::libc::c_int', 'external libc'],
  ['shop/src/lib.rs', 'std::collections::HashMap', 'external std'],
  ['shop/src/lib.rs', 'unheard::of', 'external unheard'],
])('S4: %s uses %s: %s', check('use'));

test('S4: the longest prefix comes first, and dependencies ask nothing of the tree', () => {
  const at = (specifier: string) =>
    resolveIn(createRustResolve, { files: workspace }, 'shop/src/db/pool.rs', specifier, { kind: 'use' }).candidates;
  expect(at('crate::orders::Order')).toEqual([
    'shop/src/orders/Order.rs',
    'shop/src/orders/Order/mod.rs',
    'shop/src/orders.rs',
  ]);
  expect(at('serde::Deserialize')).toEqual([]);
  expect(at('unheard')).toEqual(['shop/src/db/pool/unheard.rs', 'shop/src/db/pool/unheard/mod.rs']);
});

test('S4: a path of a thousand names ends', () => {
  const path = `crate::${'a::'.repeat(1000)}b`;
  const { reason, candidates } = resolveIn(createRustResolve, { files: workspace }, 'shop/src/lib.rs', path, {
    kind: 'use',
  });
  expect([reason, candidates.length]).toEqual(['not_found', 64]);
});
