/**
 * Where JavaScript and TypeScript choose whom to trust: a secure context of its own, a `ca` among the options of a connection,
 * verification switched off. `ca` alone is too short a name to believe (Catalan has it too), so it counts where its object is
 * given to something that connects, or stands beside other options of TLS, or holds what is plainly a certificate.
 */

import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import type { Node } from '../../languages/parsing/syntax-node.ts';
import { walkTree } from '../../languages/parsing/walk-tree.ts';
import type { TlsOverrideKind } from './certificate-section.ts';

type TlsOverride = { readonly line: number; readonly kind: TlsOverrideKind };

const connects =
  /(?:^|\.)(?:https?|tls|axios|got|undici|superagent|request|needle|ky)\b|(?:Agent|Client|Pool|createServer|createSecureServer)$/;
const holdsOptions =
  /^['"]?(?:httpsAgent|agentOptions|agent|ssl|tls|https|secureContext|connect|tlsOptions|sslOptions)['"]?$/;
const besideCa =
  /^['"]?(?:cert|key|pfx|passphrase|rejectUnauthorized|servername|checkServerIdentity|minVersion|ciphers)['"]?$/;
const certificate = /readFile|rootCertificates|BEGIN CERTIFICATE|\.(?:pem|crt|cer)\b/;

export function extractTlsOptions({ root, text }: ParsedSource): readonly TlsOverride[] {
  const found: TlsOverride[] = [];
  /** What the current place is an argument or an option of; a function begins anew. */
  const within: boolean[] = [];
  const read = (node: Node | null, length = 200) =>
    node === null ? '' : text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + length));
  const note = (node: Node, kind: TlsOverrideKind) => void found.push({ line: node.startPosition.row + 1, kind });
  const enter = (isOption: boolean) => {
    within.push(isOption);
    return () => void within.pop();
  };
  const isOption = () => within.at(-1) === true;
  const visitCall = (call: Node) => {
    const callee = read(call.childForFieldName('function') ?? call.childForFieldName('constructor'));
    if (/(?:^|\.)createSecureContext$/.test(callee)) note(call, 'create_secure_context');
    return enter(isOption() || connects.test(callee));
  };
  const beginFunction = () => enter(false);

  walkTree(root, {
    call_expression: visitCall,
    new_expression: visitCall,
    arrow_function: beginFunction,
    function_expression: beginFunction,
    function_declaration: beginFunction,
    method_definition: beginFunction,
    pair: (pair) => {
      const key = read(pair.childForFieldName('key')).replace(/^['"]|['"]$/g, '');
      const value = pair.childForFieldName('value');
      if (key === 'rejectUnauthorized' && read(value) === 'false') note(pair, 'reject_unauthorized_false');
      else if (key === 'ca' && isTrust(value) && (isOption() || certificate.test(read(value)) || hasSiblings(pair))) {
        note(pair, 'ca_option');
      }
      return enter(isOption() || holdsOptions.test(key));
    },
    shorthand_property_identifier: (name) => {
      if (read(name) === 'ca' && (isOption() || hasSiblings(name))) note(name, 'ca_option');
      return undefined;
    },
    assignment_expression: (assignment) => {
      const target = read(assignment.childForFieldName('left'));
      if (/\boptions\.ca$/.test(target)) note(assignment, 'ca_option');
      else if (/\brejectUnauthorized$/.test(target) && read(assignment.childForFieldName('right')) === 'false') {
        note(assignment, 'reject_unauthorized_false');
      } else if (/\bNODE_TLS_REJECT_UNAUTHORIZED['"]?\]?$/.test(target))
        note(assignment, 'tls_verification_disabled_by_env');
      return undefined;
    },
  });
  return found;

  /** The first members only: an object may have any number of them, and each may ask. */
  function hasSiblings(member: Node): boolean {
    for (let at = 0; at < 30; at += 1) {
      const each = member.parent?.namedChild(at) ?? null;
      if (each === null) return false;
      if (besideCa.test(read(each.type === 'pair' ? each.childForFieldName('key') : each))) return true;
    }
    return false;
  }
}

/** `ca: undefined` and `ca: null` choose nothing. */
function isTrust(value: Node | null): boolean {
  return value !== null && !['undefined', 'null', 'false', 'true', 'number'].includes(value.type);
}
