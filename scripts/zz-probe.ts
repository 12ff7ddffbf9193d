import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
const [root = "", ...calls] = process.argv.slice(2);
const transport = new StdioClientTransport({ command: process.execPath, args: ['/work/wt/first/bin/codegenie.mjs','-C',root,'mcp','--no-daemon'], env: { ...process.env } as any, stderr: 'inherit' });
const client = new Client({ name: 't', version: '1' });
await client.connect(transport);
const tools = await client.listTools();
console.log('schemas', encode(JSON.stringify(tools)).length, encode(JSON.stringify(tools.tools)).length);
for (const c of calls) { const [name, args] = JSON.parse(c);
  const r: any = await client.callTool({ name, arguments: args }, { timeout: 300000 });
  const text = r.content[0].text; console.log('-----', c, encode(text).length); console.log(text); }
await client.close();
