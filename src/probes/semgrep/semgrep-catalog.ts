/**
 * Our own rules for semgrep: what in a Node program, a shell script or an image description breaks, or breaks in, once it runs in
 * a container. Written for this project; nothing of it comes from a registry. Raise `version` with every change.
 */

import type { JsonObject } from '../../kernel/base/json.ts';

const node = ['javascript', 'typescript'];
const shell = ['bash'];
const image = ['dockerfile'];

/** `exec` and its kin, by whichever name they were imported. */
const shellCalls = '^(execSync|exec)$';
const processCalls = '^(execFileSync|execFile|execSync|exec|spawnSync|spawn)$';
const processModules = ['child_process', 'node:child_process'];

export const semgrepRulesCatalog: { readonly version: string; readonly rules: readonly JsonObject[] } = {
  version: '1.0.0',
  rules: [
    rule(
      'node-eval',
      node,
      'ERROR',
      'Code is made of a string at run time; the source of the string decides the code.',
      {
        patterns: [
          {
            'pattern-either': [
              { pattern: 'eval($CODE)' },
              { pattern: 'new Function(..., $CODE)' },
              { pattern: 'Function(..., $CODE)' },
              { pattern: 'vm.runInNewContext($CODE, ...)' },
              { pattern: 'vm.runInThisContext($CODE, ...)' },
            ],
          },
          // Files without the text are not parsed.
          { 'pattern-regex': '\\b(?:eval|Function|runInNewContext|runInThisContext)\\s*\\(' },
          { 'pattern-not-inside': 'eval("...")' },
          { 'pattern-not-inside': 'new Function("...")' },
          { 'pattern-not-inside': 'Function("...")' },
        ],
      },
    ),
    rule(
      'node-shell-interpolation',
      node,
      'ERROR',
      'A value becomes part of a shell command; pass it as an argument of execFile or spawn.',
      {
        patterns: [
          // `pattern.exec(text)` and `database.exec(sql)` have the name and start no process: the name must come from the module.
          { 'pattern-either': [importedCall('$CALL'), importedCall('$MODULE')] },
          { 'metavariable-regex': { metavariable: '$CALL', regex: shellCalls } },
        ],
      },
    ),
    rule(
      'node-shell-true',
      node,
      'WARNING',
      'The command goes through a shell, which an image without one does not have.',
      {
        patterns: [
          {
            'pattern-either': [
              { pattern: '$CALL(..., { ..., shell: true, ... }, ...)' },
              { pattern: '$MODULE.$CALL(..., { ..., shell: true, ... }, ...)' },
            ],
          },
          { 'metavariable-regex': { metavariable: '$CALL', regex: processCalls } },
        ],
      },
    ),
    rule(
      'node-absolute-binary',
      node,
      'WARNING',
      'A program is started by an absolute path that another base image may not have.',
      {
        // By text: a pattern of metavariables alone would have every file parsed, which is what a scan spends its time on.
        'pattern-regex':
          '\\b(?:execFileSync|execFile|execSync|exec|spawnSync|spawn)\\(\\s*["\'`]/(?:usr/)?(?:local/)?s?bin/',
      },
    ),
    rule('node-platform-branch', node, 'INFO', 'What runs depends on the operating system.', {
      'pattern-either': [
        { pattern: 'process.platform === "..."' },
        { pattern: 'process.platform !== "..."' },
        { pattern: 'process.platform == "..."' },
        { pattern: 'process.platform != "..."' },
        { pattern: 'switch (process.platform) { ... }' },
        { pattern: 'os.platform() === "..."' },
        { pattern: 'os.platform() !== "..."' },
      ],
    }),
    rule(
      'node-tls-verification-off',
      node,
      'ERROR',
      'Certificates are not verified: an attacker in between can read and change everything.',
      {
        'pattern-regex':
          '\\brejectUnauthorized["\']?\\s*[:=]\\s*false\\b|\\bNODE_TLS_REJECT_UNAUTHORIZED["\']?\\]?\\s*=\\s*["\'`]?0',
      },
    ),
    rule(
      'node-listen-localhost',
      node,
      'WARNING',
      'The server listens on the loopback interface alone: nothing outside its container reaches it.',
      {
        patterns: [
          {
            'pattern-either': [
              { pattern: '$SERVER.listen($PORT, "$HOST", ...)' },
              { pattern: '$SERVER.listen({ ..., host: "$HOST", ... }, ...)' },
            ],
          },
          { 'metavariable-regex': { metavariable: '$HOST', regex: '^(localhost|127\\.0\\.0\\.1|::1)$' } },
        ],
      },
    ),
    rule(
      'node-write-beside-code',
      node,
      'WARNING',
      'The program writes beside its own code, which is read-only in a hardened container.',
      {
        patterns: [
          {
            'pattern-either': [
              { pattern: 'fs.$WRITE(path.join(__dirname, ...), ...)' },
              { pattern: 'fs.$WRITE(path.resolve(__dirname, ...), ...)' },
              { pattern: 'fs.$WRITE(__dirname + $REST, ...)' },
              { pattern: 'fs.promises.$WRITE(path.join(__dirname, ...), ...)' },
              { pattern: '$WRITE(path.join(__dirname, ...), ...)' },
              { pattern: '$WRITE(join(__dirname, ...), ...)' },
            ],
          },
          {
            'metavariable-regex': {
              metavariable: '$WRITE',
              regex: '^(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|mkdir|mkdirSync)$',
            },
          },
        ],
      },
    ),
    rule(
      'node-native-addon',
      node,
      'INFO',
      'A compiled addon is loaded by path: it was built against one C library and one architecture.',
      {
        'pattern-regex': '\\b(?:require|dlopen)\\([^()\\n]*\\.node["\'`]\\s*\\)',
      },
    ),
    rule(
      'node-unsafe-buffer',
      node,
      'WARNING',
      'The Buffer constructor may hand out memory that was never cleared; use Buffer.from or Buffer.alloc.',
      { 'pattern-regex': '\\bnew\\s+Buffer\\(' },
    ),
    rule('shell-eval', shell, 'WARNING', 'Text becomes shell code.', {
      'pattern-regex':
        '(?m)^[ \\t]*eval[ \\t]+["\']?[^\\n#]*\\$(?!\\([ \\t]*(?:/\\S*/)?(?:ssh-agent|brew|direnv|pyenv|rbenv|nodenv|fnm|opam)\\b)',
    }),
    rule(
      'shell-recursive-delete',
      shell,
      'WARNING',
      'Deletes from the root of the file system when the variable is empty; let it fail instead (:?).',
      {
        'pattern-regex':
          '\\brm[ \\t]+(?:-[a-zA-Z-]+[ \\t]+)*-(?:[a-zA-Z]*r[a-zA-Z]*|-recursive)[ \\t]+(?:-[a-zA-Z-]+[ \\t]+)*"?\\$(?:[A-Za-z_][A-Za-z0-9_]*|\\{[A-Za-z_][A-Za-z0-9_]*\\})"?/(?:["\\s*]|$)',
      },
    ),
    rule(
      'download-piped-to-shell',
      [...shell, ...image],
      'ERROR',
      'What a server sends is executed unseen; download it, verify it, then run it.',
      {
        'pattern-regex':
          '\\b(?:curl|wget)\\b[^|;&#\\n]*(?:\\\\\\n[^|;&#\\n]*)*\\|[ \\t]*(?:\\\\\\n[ \\t]*)?(?:sudo[ \\t]+(?:-\\S+[ \\t]+)*)?(?:/\\S*/)?(?:ba|da|z|k)?sh\\b',
      },
    ),
    rule('world-writable', [...shell, ...image], 'WARNING', 'Every user may change these files.', {
      'pattern-regex': '\\bchmod[ \\t]+(?:-\\S+[ \\t]+)*(?:0?777|a\\+[rx]*w[rx]*|ugo\\+[rx]*w[rx]*|o\\+[rx]*w[rx]*)\\b',
    }),
    rule('download-unverified', [...shell, ...image], 'ERROR', 'The certificate of the server is not verified.', {
      'pattern-regex':
        '\\b(?:curl\\b[^|;&\\n]*[ \\t](?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)(?=[ \\t]|$)|wget\\b[^|;&\\n]*--no-check-certificate\\b|git[ \\t][^|;&\\n]*http\\.sslVerify[ =](?:false|0)|npm[ \\t]+config[ \\t]+set[ \\t]+strict-ssl[ \\t=]+false)',
    }),
    rule(
      'image-floating-tag',
      image,
      'WARNING',
      'The base image is whatever its tag means on the day of the build; name a version, better a digest.',
      {
        'pattern-regex':
          '(?mi)^[ \\t]*FROM[ \\t]+(?:--platform=\\S+[ \\t]+)?[^\\s:@$]+(?:[:][0-9]+/[^\\s:@$]+)?:latest(?=[ \\t]|$)',
      },
    ),
    rule(
      'image-runs-as-root',
      image,
      'ERROR',
      'The last USER is root: an attacker who breaks out of the program owns the container.',
      {
        'pattern-regex': '(?mi)^[ \\t]*USER[ \\t]+(?:root|0)(?::\\S+)?[ \\t]*$(?![\\s\\S]*^[ \\t]*(?:USER|FROM)[ \\t])',
      },
    ),
    rule(
      'image-add-url',
      image,
      'WARNING',
      'ADD fetches at build time and verifies nothing; pass --checksum, or download and verify.',
      {
        'pattern-regex': '(?mi)^[ \\t]*ADD[ \\t]+(?!(?:\\S+[ \\t]+)*--checksum=)(?:--\\S+[ \\t]+)*https?://\\S+',
      },
    ),
    rule('image-apt-recommends', image, 'INFO', 'Recommended packages come along: more to patch, and more to attack.', {
      'pattern-regex':
        '\\bapt(?:-get)?[ \\t]+(?:-\\S+[ \\t]+)*install\\b(?!(?:[^&|;\\n]|\\\\\\n)*--no-install-recommends)(?!\\.)',
    }),
    rule(
      'image-shell-form',
      image,
      'INFO',
      'Started through a shell, the program is not process 1 and never sees SIGTERM; use the JSON form.',
      {
        'pattern-regex': '(?m)(?<!\\\\\\n)^[ \\t]*(?:CMD|ENTRYPOINT)[ \\t]+(?![\\[\\s\\\\]|exec[ \\t])\\S[^\\n]*',
      },
    ),
    rule(
      'image-build-argument-as-password',
      image,
      'ERROR',
      'It stays readable in the history of the image; mount it as a build secret.',
      {
        'pattern-regex':
          '(?mi)^[ \\t]*(?:ENV|ARG)[ \\t]+[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|_TOKEN)(?:[ \\t]*=[ \\t]*|[ \\t]+)(?!["\']?(?:\\$|["\']|\\s|$))\\S+',
      },
    ),
    rule('container-privileged', ['yaml'], 'ERROR', 'A privileged container is root on its host.', {
      'pattern-regex': '(?m)^[ \\t-]*["\']?privileged["\']?[ \\t]*:[ \\t]*["\']?true["\']?[ \\t]*(?:#.*)?$',
    }),
    rule(
      'container-engine-socket',
      ['yaml', 'bash', 'dockerfile'],
      'WARNING',
      'A client of the engine is root on its host.',
      {
        'pattern-regex': '/var/run/docker\\.sock\\b',
      },
    ),
  ],
};

/** A call with a value in its command, of `$CALL` taken out of the module or of `$MODULE.$CALL`. */
function importedCall(name: '$CALL' | '$MODULE'): JsonObject {
  const call = name === '$CALL' ? '$CALL' : '$MODULE.$CALL';
  const bindings =
    name === '$CALL'
      ? (from: string) => [`import { ..., $CALL, ... } from "${from}"`, `{ ..., $CALL, ... } = require("${from}")`]
      : (from: string) => [
          `import $MODULE from "${from}"`,
          `import * as $MODULE from "${from}"`,
          `$MODULE = require("${from}")`,
        ];
  const commands = [`\`...\${$VALUE}...\``, '"..." + $VALUE', '"..." + $VALUE + "..."'];
  return {
    patterns: [
      { 'pattern-either': commands.map((command) => ({ pattern: `${call}(${command}, ...)` })) },
      {
        'pattern-either': processModules.flatMap(bindings).map((binding) => ({ 'pattern-inside': `${binding}\n...` })),
      },
    ],
  };
}

type RuleSeverity = 'ERROR' | 'WARNING' | 'INFO';

function rule(
  id: string,
  languages: readonly string[],
  severity: RuleSeverity,
  message: string,
  body: JsonObject,
): JsonObject {
  return { id, languages, severity, message, ...body };
}
