/** Under which licence the code is given: texts told by their sentences, what manifests declare, what the README says. */

import { defineProbe } from '../../gather/contract.ts';
import { licenceFacts } from './licence-facts.ts';
import { licenceManifestGlobs, licenceReadmes, licenceSection, licenceTextGlobs } from './licence-section.ts';

const mit = `MIT License

Copyright (c) 2020 A

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction.

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.
`;
const bsd = `Copyright (c) 2012 B

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:
3. The name of the author may not be used to endorse or promote products
   derived from this software without specific prior written permission.
`;
const unlicense = 'This is free and unencumbered software released into the public domain.\n';

export default defineProbe({
  name: 'licence',
  version: '0.1.0',
  layer: 'E',
  says: 'Licence texts by their sentences, and the licences that manifests declare, as SPDX expressions.',
  heaviness: 'light',
  sections: { licence: licenceSection },
  facts: licenceFacts,
  // Only for the facts: whose licence it is. The run reads nothing of it.
  requires: [{ probe: 'components', select: () => null }],
  declaredInputs: [...licenceTextGlobs, ...licenceManifestGlobs, ...licenceReadmes],
  timeoutSeconds: 30,
  warningIds: ['licence.unreadable'],
  confidenceRule: 'high; medium when a file could not be read',
  async run(repo, ctx) {
    const { gatherLicence } = await import('./gather-licence.ts');
    return gatherLicence(repo, ctx);
  },
  examples: [
    {
      shows: 'a text without a title is told by its sentences',
      files: { LICENSE: bsd },
      gives: { licence: { texts: [{ path: 'LICENSE', spdx: 'BSD-3-Clause', line: 3 }] } },
      facts: [{ id: 'licence', scope: '.', value: 'BSD-3-Clause', confidence: 'high', evidence: ['LICENSE:3'] }],
      confidence: 'high',
    },
    {
      shows: 'two texts are a choice where the manifest says so',
      files: {
        'LICENSE-MIT': mit,
        UNLICENSE: unlicense,
        COPYING: 'This project is dual-licensed.\n',
        'Cargo.toml': '[package]\nname = "a"\nlicense = "Unlicense/MIT"\n',
      },
      gives: { licence: { declared: [{ path: 'Cargo.toml', written: 'Unlicense/MIT', spdx: 'Unlicense OR MIT' }] } },
      facts: [
        {
          id: 'licence',
          scope: '.',
          value: 'Unlicense OR MIT',
          confidence: 'high',
          evidence: ['Cargo.toml:3', 'LICENSE-MIT:5', 'UNLICENSE:1'],
        },
      ],
      warnings: [],
    },
    {
      shows: 'the lesser licence is written on top of the other, and is the one',
      files: {
        COPYING: '                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007\n',
        'COPYING.LESSER':
          '                   GNU LESSER GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007\n',
      },
      gives: { licence: { texts: [{ spdx: 'GPL-3.0' }, { spdx: 'LGPL-3.0' }] } },
      facts: [{ id: 'licence', scope: '.', value: 'LGPL-3.0', confidence: 'medium' }],
    },
    {
      shows: 'texts of several licences are no choice where nothing says so',
      files: { LICENSE: mit, COPYING: bsd },
      gives: { licence: { texts: [{ spdx: 'BSD-3-Clause' }, { spdx: 'MIT' }] } },
      facts: [
        {
          id: 'licence',
          scope: '.',
          state: 'unknown',
          value: null,
          how: 'incomplete: several texts: BSD-3-Clause, MIT',
        },
      ],
    },
    {
      shows: 'a manifest that names none of several texts leaves it open',
      files: { LICENSE: bsd, COPYING: unlicense, 'package.json': '{ "license": "MIT" }' },
      gives: { licence: { declared: [{ spdx: 'MIT' }] } },
      facts: [
        {
          id: 'licence',
          scope: '.',
          state: 'unknown',
          value: null,
          how: 'incomplete: the manifest says MIT, texts are BSD-3-Clause, Unlicense',
        },
      ],
    },
    {
      shows: 'a manifest that cannot be read is told',
      files: { LICENSE: mit, 'package.json': '{' },
      gives: { licence: { texts: [{ spdx: 'MIT' }], declared: [] } },
      warnings: ['licence.unreadable'],
      confidence: 'medium',
    },
    {
      shows:
        'the default of a package manager is no decision, and a package’s manifest does not speak for the repository',
      files: {
        LICENSE: mit,
        'package.json': '{\n  "license": "ISC"\n}',
        'services/pay/package.json': '{\n  "license": "ISC"\n}',
      },
      gives: { licence: { texts: [{ spdx: 'MIT' }] } },
      facts: [
        { id: 'licence', scope: '.', value: 'MIT', confidence: 'medium', evidence: ['LICENSE:5'] },
        { id: 'licence', scope: 'services/pay', value: 'ISC', confidence: 'low' },
      ],
    },
    {
      shows: 'a text with conditions of its own around it is only like one',
      files: { LICENSE: `${'Everything below ee/ is licensed otherwise, see there.\n'.repeat(40)}${mit}` },
      gives: { licence: { texts: [{ spdx: 'MIT', alone: false }] } },
      facts: [{ id: 'licence', scope: '.', value: 'MIT', confidence: 'low' }],
    },
    {
      shows: 'two texts without a word on how they belong together are not told as one',
      files: { LICENSE: `${mit}\n${bsd}` },
      gives: { licence: { texts: [{ spdx: null }] } },
      facts: [{ id: 'licence', scope: '.', state: 'unknown', value: null }],
    },
    {
      shows: 'the README speaks where there is no text',
      files: { 'README.md': '# a\n\n## License\n\nReleased under the Apache License 2.0.\n' },
      gives: { licence: { readme: { path: 'README.md', spdx: 'Apache-2.0', line: 5 } } },
      facts: [{ id: 'licence', scope: '.', value: 'Apache-2.0', confidence: 'medium', evidence: ['README.md:5'] }],
    },
    {
      shows: 'no licence at all',
      files: { 'a.js': '' },
      gives: { licence: { texts: [], declared: [], readme: null } },
      facts: [{ id: 'licence', scope: '.', state: 'none', value: null }],
    },
  ],
});
