import { expect, test } from 'vitest';
import { judgeSkill, type SkillFacts } from './gather-skills-index.ts';
import type { Skill } from './skill-file.ts';

const open: Skill = {
  id: 's',
  description: null,
  appliesToTasks: ['*'],
  appliesToLanguages: ['*'],
  conditions: [],
  requiresEvidence: [],
  requiredTools: [],
};
const facts: SkillFacts = {
  task: 'migrate',
  languages: ['python', 'typescript'],
  fields: { monorepo: false, language_stack: { primary: 'typescript', framework_hints: ['express', 'react'] } },
};

test('a skill that restricts nothing applies without a reason', () => {
  expect(judgeSkill(open, facts)).toEqual({ applies: true, why: null });
});

test('every restriction that holds is told', () => {
  const skill: Skill = {
    ...open,
    appliesToTasks: ['migrate'],
    appliesToLanguages: ['go', 'typescript'],
    conditions: [
      { field: 'language_stack.primary', equals: 'typescript' },
      { field: 'language_stack.framework_hints', equals: 'react' },
    ],
  };
  expect(judgeSkill(skill, facts)).toEqual({
    applies: true,
    why: 'task migrate; language typescript; language_stack.primary = "typescript"; language_stack.framework_hints = "react"',
  });
});

test.each([
  [{ appliesToTasks: ['other'] }, 'task migrate is not one of other'],
  [{ appliesToLanguages: ['go'] }, 'no file in go'],
  [{ conditions: [{ field: 'monorepo', equals: true }] }, 'monorepo is false, not true'],
  [{ conditions: [{ field: 'monorepo', equals: 'false' }] }, 'monorepo is false, not "false"'],
  [{ conditions: [{ field: 'no.such.field', equals: null }] }, 'no.such.field is not known'],
  [{ conditions: [{ field: 'constructor.name', equals: 'Object' }] }, 'constructor.name is not known'],
  [{ conditions: [{ field: 'native_modules_present', equals: false }] }, 'native_modules_present is not known'],
])('P2 %j does not apply', (restriction, why) => {
  expect(judgeSkill({ ...open, ...restriction }, facts)).toEqual({ applies: false, why });
});
