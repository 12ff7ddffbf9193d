/** The agents and editors that can be told of this server: which file of the user's each reads, and what is written there. */

import { posix, win32 } from 'node:path';

export const clientNames = ['claude-code', 'codex', 'cursor', 'vscode'] as const;
export type ClientName = (typeof clientNames)[number];

/** The machine, as arguments. */
export type Machine = {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** How this program is started. */
export type ServerCommand = { readonly command: string; readonly args: readonly string[] };

export type ServerEntry = Readonly<Record<string, string | readonly string[]>>;

export type Client = {
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** Where the entry stands in the file. */
  readonly at: readonly [parent: string, name: string];
  /** The user's file, and the directory it has to stay in. */
  readonly file: (machine: Machine) => { readonly path: string; readonly base: string };
  readonly entry: (server: ServerCommand) => ServerEntry;
  /** What the user does then. */
  readonly afterwards: string;
};

const name = 'codegenie';

/** For editors that start servers of the user's file in no particular directory: they put the open folder in its place. */
export const workspaceVariable = '$' + '{workspaceFolder}';

const inWorkspace = ({ command, args }: ServerCommand) => ({
  command,
  args: [...args, '-C', workspaceVariable, 'mcp'],
});
const inCwd = ({ command, args }: ServerCommand) => ({ command, args: [...args, 'mcp'] });

export const clients: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    at: ['mcpServers', name],
    file: (machine) => inDirectory(machine, machine.environment['CLAUDE_CONFIG_DIR'], [], '.claude.json'),
    entry: (server) => ({ type: 'stdio', ...inCwd(server) }),
    afterwards: 'start Claude Code in a repository; `/mcp` shows the server',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    at: ['mcp_servers', name],
    file: (machine) => inDirectory(machine, machine.environment['CODEX_HOME'], ['.codex'], 'config.toml'),
    entry: inCwd,
    afterwards: 'start Codex in a repository; `codex mcp list` shows the server',
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    at: ['mcpServers', name],
    file: (machine) => inDirectory(machine, undefined, ['.cursor'], 'mcp.json'),
    entry: inWorkspace,
    afterwards: 'restart Cursor; its settings list the server under MCP',
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    at: ['servers', name],
    file: vscodeFile,
    entry: (server) => ({ type: 'stdio', ...inWorkspace(server) }),
    afterwards: 'open a folder in VS Code; `MCP: List Servers` shows the server',
  },
};

function vscodeFile(machine: Machine) {
  const below = ['Code', 'User'];
  const { environment, platform } = machine;
  if (platform === 'darwin')
    return inDirectory(machine, undefined, ['Library', 'Application Support', ...below], 'mcp.json');
  const [given, usual] =
    platform === 'win32'
      ? [environment['APPDATA'], ['AppData', 'Roaming']]
      : [environment['XDG_CONFIG_HOME'], ['.config']];
  const { join } = pathsOf(machine);
  const chosen = given === undefined || given === '' ? undefined : join(given, ...below);
  return inDirectory(machine, chosen, [...usual, ...below], 'mcp.json');
}

/** A directory that the user has chosen for the client, or the usual one below the home. */
function inDirectory(machine: Machine, chosen: string | undefined, usual: readonly string[], file: string) {
  const { join, isAbsolute } = pathsOf(machine);
  return chosen !== undefined && isAbsolute(chosen)
    ? { path: join(chosen, file), base: chosen }
    : { path: join(machine.home, ...usual, file), base: machine.home };
}

function pathsOf({ platform }: Machine) {
  return platform === 'win32' ? win32 : posix;
}
