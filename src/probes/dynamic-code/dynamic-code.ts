/** Code that is made of text at run time: `eval`, `exec`, function constructors, and interpreters that a Go program embeds. */

import { defineProbe } from '../../gather/contract.ts';
import { componentAround, factsOf, isProduct, known, none, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';

const sourceGlobs: readonly string[] = ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,py,php,rb,go}'];

const section = z.strictObject({
  /** In sources that are no tests. */
  places: z.array(z.strictObject({ path: z.string(), line: z.int(), call: z.string() })),
  /** Sources that could not be read. */
  unread: z.int(),
});

const dynamicCodeFacts = factsOf('dynamic_code', section, [
  {
    id: 'dynamic_code',
    says: 'Places in the product’s own code that run code from a string: eval, exec, function constructors.',
    of: 'the repository, or a directory',
    value: z.array(z.string().describe('path:line')),
    from: 'sources of JavaScript, TypeScript, Python, PHP, Ruby and Go without comments and strings',
    rollup: 'items',
    state: ({ places, unread }, spine) => {
      const how =
        'calls in JavaScript, TypeScript, Python, PHP and Ruby, interpreters embedded in Go; other languages are not looked at';
      if (unread > 0 && places.length === 0) return [unknown('.', { because: 'incomplete', how })];
      const own = places.filter(({ path }) => {
        const component = componentAround(spine, path);
        return component === undefined || isProduct(component);
      });
      if (own.length === 0) return [none('.', { because: 'incomplete', how })];
      const evidence = own.map(({ path, line, call }) => ({ path, line, shows: call }));
      const items = own.map(({ path, line }) => `${path}:${line}`);
      return [known('.', items, { because: 'follows', how, evidence })];
    },
  },
]);

export default defineProbe({
  name: 'dynamic_code',
  version: '0.3.1',
  layer: 'B',
  says: 'Calls that run code from a string, outside tests.',
  heaviness: 'light',
  sections: { dynamic_code: section },
  facts: dynamicCodeFacts,
  // Only for the facts: whose code it is. The run reads nothing of it.
  requires: [{ probe: 'components', select: () => null }],
  declaredInputs: sourceGlobs,
  timeoutSeconds: 30,
  confidenceRule: 'high; medium when a source could not be read',
  async run(repo) {
    const { gatherDynamicCode } = await import('./gather-dynamic-code.ts');
    const found = await gatherDynamicCode(repo);
    return { kind: 'ran', slice: { dynamic_code: found }, confidence: found.unread === 0 ? 'high' : 'medium' };
  },
  examples: [
    {
      shows: 'calls of the language itself; no method of that name, no text, no test',
      files: {
        'src/a.js':
          "// eval(a)\nconst b = 'eval(b)';\neval(c);\nnew Function('d', e);\ndb.exec(f);\nisFunction(g);\nre.exec(h);\n",
        'src/b.py':
          'session.exec(x)\n"""\neval(never)\n"""\nexec(compile(t, p, "exec"), d)\ndef exec(x): ...\nmodel.eval()\n',
        'src/c.ts': 'const f = new AsyncFunction(k, code);\nnew MyFunction(a);\n',
        'pkg/plug.go':
          'package plug\n\nimport "github.com/traefik/yaegi/interp"\n\nfunc load() {\n\ti := interp.New(interp.Options{})\n\ti.Eval("x")\n}\n',
        'lib/d.rb':
          '# eval(a)\nUser.class_eval do\n  x\nend\nobj.instance_eval(&block)\nmod.class_eval(<<~RUBY, __FILE__)\n  def a; end\nRUBY\neval(text)\nscope.eval(x)\nevaluate(y)\nobj.instance_eval { z }\n',
        'app/e.rb': 'class_eval <<-RUBY_EVAL, __FILE__, __LINE__ + 1\n  def a; end\nRUBY_EVAL\n',
        'pkg/other.go': 'package plug\n\nfunc run(e Expr) { e.Eval("x") }\n',
        'tests/c.py': 'eval(x)\n',
        'src/a.test.js': 'eval(1)\n',
      },
      gives: {
        dynamic_code: {
          places: [
            { path: 'app/e.rb', line: 1, call: 'class_eval' },
            { path: 'lib/d.rb', line: 6, call: 'class_eval' },
            { path: 'lib/d.rb', line: 9, call: 'eval' },
            { path: 'pkg/plug.go', line: 7, call: 'Eval' },
            { path: 'src/a.js', line: 3, call: 'eval' },
            { path: 'src/a.js', line: 4, call: 'Function' },
            { path: 'src/b.py', line: 5, call: 'exec' },
            { path: 'src/c.ts', line: 1, call: 'AsyncFunction' },
          ],
        },
      },
      facts: [
        {
          id: 'dynamic_code',
          scope: '.',
          value: [
            'app/e.rb:1',
            'lib/d.rb:6',
            'lib/d.rb:9',
            'pkg/plug.go:7',
            'src/a.js:3',
            'src/a.js:4',
            'src/b.py:5',
            'src/c.ts:1',
          ],
          confidence: 'medium',
        },
      ],
    },
    {
      shows: 'none of it',
      files: { 'a.js': 'x.eval(1);\n' },
      gives: { dynamic_code: { places: [], unread: 0 } },
      facts: [{ id: 'dynamic_code', scope: '.', state: 'none', value: null, confidence: 'low' }],
    },
  ],
});
