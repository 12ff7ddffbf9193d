/** Code made of strings at run time, as a fact. */

import { factsOf, none, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { reflectionSection } from './node-reflection-section.ts';

export const reflectionFacts = factsOf('reflection', reflectionSection, [
  {
    id: 'dynamic_code',
    says: 'Places in the product’s own code that run code from a string: eval, exec, function constructors.',
    of: 'the repository, or a directory',
    value: z.array(z.string().describe('path:line')),
    from: 'syntax trees of JavaScript and TypeScript',
    rollup: 'items',
    state: ({ eval_usage, function_constructor_usage }) => {
      const how = 'eval and function constructors in JavaScript and TypeScript; other languages are not looked at';
      return eval_usage + function_constructor_usage === 0
        ? [none('.', { because: 'incomplete', how })]
        : [unknown('.', { because: 'incomplete', how: `${how}; places are not recorded` })];
    },
  },
]);
