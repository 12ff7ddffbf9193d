/** What the Dockerfiles say of each image, as facts: of the shipped stage under the file's name, of a named stage under `file#stage`. */

import { type Claim, factsOf, known, listed, none, type Statement, unknown } from '../../gather/facts/fact.ts';
import type { Json } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { type Command, type DockerfileRow, dockerfileSection, type Stage } from './dockerfile-section.ts';

const oneStage = 'a Dockerfile (its shipped stage), or `file#stage`';

/** One statement for the shipped stage and one for each stage that has a name. */
function perStage(
  rows: readonly DockerfileRow[],
  say: (scope: string, stage: Stage, row: DockerfileRow) => Statement,
): readonly Statement[] {
  return rows.flatMap((row) => {
    const { stage: shipped, by_name: byName } = shippedStage(row);
    const withName = row.stages.filter(({ name }) => name !== null);
    return [
      ...(shipped === undefined
        ? []
        : [say(row.path, shipped, row)].map((one) => (byName ? named(one, shipped) : one))),
      ...withName.map((stage) => say(`${row.path}#${stage.name}`, stage, row)),
    ];
  });
}

const releaseName = /^(?:release|prod(?:uction)?|final|run(?:time|ner)?)$/i;

/** What is built by default is shipped; but where that starts nothing, and one that is called so does, it is that one. */
function shippedStage(row: DockerfileRow): { readonly stage: Stage | undefined; readonly by_name: boolean } {
  const last = row.final_stage === null ? undefined : row.stages[row.final_stage];
  const starts = ({ entrypoint, cmd }: Stage) => entrypoint.form !== 'absent' || cmd.form !== 'absent';
  const [released, ...more] = row.stages.filter((stage) => releaseName.test(stage.name ?? '') && starts(stage));
  return last !== undefined && !starts(last) && released !== undefined && more.length === 0
    ? { stage: released, by_name: true }
    : { stage: last, by_name: false };
}

function named(statement: Statement, { name }: Stage): Statement {
  const because = statement.state === 'unknown' ? statement.because : 'follows';
  return { ...statement, because, how: `${statement.how}; of the stage ${name}, for the last one starts nothing` };
}

/** The instruction that the value was read from, in this stage or one that it stands on. */
const instruction = (
  { path }: DockerfileRow,
  word: string,
  lines: number | null | readonly number[],
): readonly Claim[] => [lines ?? []].flat().map((line) => ({ path, line, shows: word }));

function commandOf({ form, argv, command }: Command): Json {
  return form === 'absent' ? null : form === 'exec' ? [...argv] : command;
}

export const dockerfileFacts = factsOf('containerization', dockerfileSection, [
  {
    id: 'docker.images',
    says: 'Files that build images of the product; development containers and test servers are none.',
    of: 'the repository',
    value: z.array(z.string()),
    from: 'Dockerfiles by name',
    rollup: 'items',
    noneWithoutSection: true,
    state: ({ dockerfiles }) => {
      const product = dockerfiles.filter(({ place }) => place === 'product');
      const own = product.map(({ path }) => path);
      const how = 'files that are named like a Dockerfile; those for development, tests and documentation aside';
      // A product may live in a directory that is called `demo`; an example is then the only one there is.
      if (own.length === 0 && dockerfiles.some(({ place }) => place === 'example'))
        return [unknown('.', { because: 'resembles', how: 'only Dockerfiles that seem to be examples' })];
      // A template may have no FROM of its own: then the file is what there is to see.
      const evidence = product.flatMap((row) => {
        const { stage: shipped } = shippedStage(row);
        return shipped === undefined ? [{ path: row.path, shows: null }] : instruction(row, 'FROM', shipped.lines.from);
      });
      // What each is for is told by names: nothing was to be told where all are the product's.
      const isTold = dockerfiles.some(({ place }) => place !== 'product');
      return [listed('.', own, { because: isTold ? 'follows' : 'looked', how, evidence })];
    },
  },
  {
    id: 'docker.final_base',
    says: 'The image that the shipped stage stands on, through stages and defaults of arguments.',
    of: oneStage,
    value: z.string(),
    from: 'FROM',
    state: ({ dockerfiles }) =>
      perStage(dockerfiles, (scope, { base_image_resolved: base, base_digest: digest, lines }, row) =>
        base === null
          ? unknown(scope, { because: 'incomplete', how: 'an argument without default decides' })
          : known(scope, digest === null || base.includes('@') ? base : `${base}@${digest}`, {
              because: 'declared',
              how: 'FROM, followed through the stages',
              evidence: instruction(row, 'FROM', lines.from),
            }),
      ),
  },
  {
    id: 'docker.user',
    says: 'Who runs the program in the image; none: the Dockerfile says nothing.',
    of: oneStage,
    value: z.string(),
    from: 'USER',
    state: ({ dockerfiles }) =>
      perStage(dockerfiles, (scope, { user, lines }, row) =>
        user === null
          ? none(scope, { because: 'looked', how: 'no USER in the stages it is built on' })
          : known(scope, user, {
              because: 'declared',
              how: 'the last USER',
              evidence: instruction(row, 'USER', lines.user),
            }),
      ),
  },
  {
    id: 'docker.ports',
    says: 'Ports that the Dockerfile names; none: it names none.',
    of: oneStage,
    value: z.array(z.union([z.number(), z.string()])),
    from: 'EXPOSE',
    state: ({ dockerfiles }) =>
      perStage(dockerfiles, (scope, { expose, lines }, row) =>
        listed(
          scope,
          expose.map((port) => (/^\d+(?:\/tcp)?$/.test(port) ? Number.parseInt(port, 10) : port)),
          {
            because: 'looked',
            how: 'EXPOSE of the stages it is built on',
            evidence: instruction(row, 'EXPOSE', lines.expose),
          },
        ),
      ),
  },
  {
    id: 'docker.entrypoint',
    says: 'What the image starts: entry point and command; a text where the shell form is used.',
    of: oneStage,
    value: z.union([
      z.string(),
      z.strictObject({
        entrypoint: z.union([z.array(z.string()), z.string()]).nullable(),
        cmd: z.union([z.array(z.string()), z.string()]).nullable(),
      }),
    ]),
    from: 'ENTRYPOINT, CMD',
    state: ({ dockerfiles }) =>
      perStage(dockerfiles, (scope, stage, row) => {
        const entrypoint = commandOf(stage.entrypoint);
        const cmd = commandOf(stage.cmd);
        if (entrypoint === null && cmd === null)
          return none(scope, { because: 'looked', how: 'neither ENTRYPOINT nor CMD in the stages it is built on' });
        const evidence = [
          ...instruction(row, 'ENTRYPOINT', stage.lines.entrypoint),
          ...instruction(row, 'CMD', stage.lines.cmd),
        ];
        const value = typeof entrypoint === 'string' && cmd === null ? entrypoint : { entrypoint, cmd };
        // No document holds the name of a person's home, and a path of an image looks like one.
        const how = JSON.stringify(value).includes('~/')
          ? 'ENTRYPOINT and CMD, a home directory written as ~'
          : 'ENTRYPOINT and CMD';
        return known(scope, value, { because: 'declared', how, evidence });
      }),
  },
]);
