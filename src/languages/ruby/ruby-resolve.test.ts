import { expect, test } from 'vitest';
import { answerOf, filesOf } from '../../../test/support/check-resolve.ts';
import type { ImportKind } from '../facts.ts';
import createRubyResolve from './ruby-resolve.ts';

const tree = {
  ...filesOf('lib/acme.rb', 'lib/acme/order.rb', 'app/models/user.rb', 'spec/spec_helper.rb', 'test/test_helper.rb'),
  ...filesOf('kit/lib/kit.rb', 'kit/lib/acme.rb', 'kit/spec/spec_helper.rb', 'tools/run.rb'),
  ...filesOf('Gemfile', 'kit/kit.gemspec'),
};

test.each<readonly [from: string, kind: ImportKind, specifier: string, answer: string]>([
  ['lib/acme.rb', 'require_relative', 'acme/order', 'lib/acme/order.rb'],
  ['lib/acme/order.rb', 'require_relative', '../acme.rb', 'lib/acme.rb'],
  ['lib/acme.rb', 'require_relative', 'none', 'not_found'],
  ['lib/acme.rb', 'require_relative', '../../x', 'outside_root'],
  ['tools/run.rb', 'require', 'acme', 'lib/acme.rb'],
  ['tools/run.rb', 'require', 'acme/order', 'lib/acme/order.rb'],
  ['tools/run.rb', 'require', 'user', 'app/models/user.rb'],
  ['tools/run.rb', 'require', 'kit', 'kit/lib/kit.rb'],
  ['kit/lib/kit.rb', 'require', 'acme', 'kit/lib/acme.rb'],
  ['kit/lib/kit.rb', 'require', 'acme/order', 'lib/acme/order.rb'],
  ['spec/a_spec.rb', 'require', 'spec_helper', 'spec/spec_helper.rb'],
  ['kit/spec/a_spec.rb', 'require', 'spec_helper', 'kit/spec/spec_helper.rb'],
  ['test/a_test.rb', 'require', 'test_helper', 'test/test_helper.rb'],
  ['lib/acme.rb', 'require', 'test_helper', 'external test_helper'],
  ['lib/acme.rb', 'require', './tools/run', 'tools/run.rb'],
  ['lib/acme.rb', 'require', '/etc/passwd', 'outside_root'],
  ['lib/acme.rb', 'require', 'active_support/core_ext', 'external active_support'],
  ['lib/acme.rb', 'autoload', 'acme/order', 'dynamic'],
])('S4: %s: %s %s: %s', (from, kind, specifier, answer) => {
  expect(answerOf(createRubyResolve, { files: tree }, from, specifier, { kind })).toBe(answer);
});
