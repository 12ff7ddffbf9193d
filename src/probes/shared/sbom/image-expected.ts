/** Whether there can be an image of this repository at all: where none was ever meant to be, its scanners have nothing to say. */

import type { RepoSnapshot, SkipReason } from '../../../gather/contract.ts';
import { normaliseDockerfile } from '../image-build/select-dockerfiles.ts';

export function imageExpected({ config, scope }: RepoSnapshot): true | SkipReason {
  if (config['containers.build'] === 'never' || config['containers.engine'] === 'none') return 'not_configured';
  const dockerfile = normaliseDockerfile(config['image_build.dockerfile']);
  return (dockerfile !== null && scope.exists(dockerfile)) || 'not_applicable';
}
