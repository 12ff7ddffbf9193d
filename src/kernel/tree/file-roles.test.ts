import { expect, test } from 'vitest';
import { isGeneratedName, isTestFile, isVendoredPath } from './file-roles.ts';

test('vendored is decided by directories, never by the name of the file', () => {
  expect(['vendor/a.go', 'x/third_party/y/z.c', 'node_modules/a/index.js'].map(isVendoredPath)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['vendor', 'vendors/a.go', 'src/vendor.ts', 'my_third_party/a.c'].map(isVendoredPath)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  'package-lock.json',
  'sub/Cargo.lock',
  'a.snap',
  'app.min.js',
  'app.min.css',
  'api.pb.go',
  'api.pb.gw.go',
  'api_pb2.py',
  'api_pb2.pyi',
  'api_pb2_grpc.py',
  'api_pb.ts',
  'x.g.cs',
  'x.g.dart',
  'Form.Designer.cs',
  'registry.gen.ts',
  'types.generated.d.ts',
  'parser.tab.c',
  'moc_window.cpp',
  'query.graphql.ts',
])('%s is generated', (path) => {
  expect(isGeneratedName(path)).toBe(true);
});

test.each(['gen.ts', 'admin.js', 'pb.go', 'a.lock', 'moc_window.h', 'xmoc_a.cpp', 'query.graphql', 'generated/a.ts'])(
  '%s is not',
  (path) => {
    expect(isGeneratedName(path)).toBe(false);
  },
);

test.each([
  'a.test.ts',
  'src/a.spec.tsx',
  'cypress/e2e/login.cy.ts',
  'a.test.d.ts',
  '__tests__/a.js',
  'src/__tests__/deep/helper.js',
  'tests/test_models.py',
  'pkg/x_test.go',
  'src/FooTest.java',
])('%s is a test file', (path) => {
  expect(isTestFile(path)).toBe(true);
});

test.each([
  'test.ts',
  'latest.ts',
  'src/contest.js',
  'not__tests__/a.js',
  'a/__tests__',
  'models_test.py',
  'mytest_x.py',
  'x_test.go.txt',
  'TestFoo.java',
  'a.test/b.ts',
])('%s is none', (path) => {
  expect(isTestFile(path)).toBe(false);
});
