/** Whose decorators a repository uses: of three frameworks by the module they come from, of others, or its own. */

import type { DecoratorFact } from '../../node-reflection/reflective-code.ts';

export type DecoratorUsage = {
  readonly nestjs: boolean;
  readonly typeorm: boolean;
  readonly class_validator: boolean;
  readonly custom_decorators_detected: number;
};

const frameworks = {
  nestjs: {
    module: /^@nestjs\//,
    packages: ['@nestjs/common', '@nestjs/core'],
    names: /^(?:Controller|Injectable|Module|Inject|Get|Post|Put|Patch|Delete|Body|Param|Query|UseGuards|UsePipes)$/,
  },
  typeorm: {
    module: /^typeorm(?:\/|$)/,
    packages: ['typeorm'],
    names:
      /^(?:Entity|Column|PrimaryColumn|PrimaryGeneratedColumn|OneToMany|ManyToOne|ManyToMany|OneToOne|JoinColumn)$/,
  },
  class_validator: {
    module: /^class-validator(?:\/|$)/,
    packages: ['class-validator'],
    names: /^(?:Is[A-Z]\w*|Min|Max|MinLength|MaxLength|ValidateNested|Matches|Length)$/,
  },
} as const;
type Framework = keyof typeof frameworks;

export function summariseDecorators(
  decorators: readonly DecoratorFact[],
  dependencies: ReadonlySet<string>,
): DecoratorUsage {
  const used = new Set<Framework>();
  let custom = 0;
  for (const decorator of decorators) {
    const framework = findFramework(decorator, dependencies);
    if (framework !== undefined) used.add(framework);
    else if (decorator.module === null || !dependencies.has(packageOf(decorator.module))) custom += 1;
  }
  return {
    nestjs: used.has('nestjs'),
    typeorm: used.has('typeorm'),
    class_validator: used.has('class_validator'),
    custom_decorators_detected: custom,
  };
}

/** By module; where it comes through a file of the repository, by its name, if the repository depends on the framework. */
function findFramework({ name, module }: DecoratorFact, dependencies: ReadonlySet<string>): Framework | undefined {
  const names = Object.keys(frameworks) as Framework[];
  const byModule = module === null ? undefined : names.find((each) => frameworks[each].module.test(module));
  if (byModule !== undefined || (module !== null && dependencies.has(packageOf(module)))) return byModule;
  return names.find(
    (each) => frameworks[each].names.test(name) && frameworks[each].packages.some((known) => dependencies.has(known)),
  );
}

function packageOf(module: string): string {
  const [scope = '', name] = module.split('/');
  return scope.startsWith('@') && name !== undefined ? `${scope}/${name}` : scope;
}
