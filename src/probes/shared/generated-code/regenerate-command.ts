/** How a generated file is made again: a script of the package, run by the manager the repository uses. */

export type Scripts = { readonly manager: string | null; readonly names: ReadonlySet<string> };

/** Script names by kind of generator; the first that exists. */
const families: readonly { readonly generators: RegExp; readonly scripts: readonly string[] }[] = [
  { generators: /^graphql-codegen$/, scripts: ['codegen', 'build:gql', 'graphql:codegen'] },
  {
    generators: /^(?:openapi-.*|swagger-codegen|oapi-codegen)$/,
    scripts: ['generate:api', 'codegen:api', 'generate'],
  },
  { generators: /^(?:protoc.*|protobuf-ts|ts-proto)$/, scripts: ['generate:proto', 'codegen:proto'] },
];

export function findRegenerateCommand(generator: string, { manager, names }: Scripts): string | null {
  const family = families.find(({ generators }) => generators.test(generator));
  const script = family?.scripts.find((name) => names.has(name));
  if (script === undefined || manager === null) return null;
  return `${manager.replace(/^yarn-.*$/, 'yarn')} run ${script}`;
}
