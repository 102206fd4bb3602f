// The TypeScript SDK's client of the first major: `node typescript1.mjs ASKED ENVIRONMENT`.
import { createRequire } from 'node:module';
import { answers, transport } from './typescript.mjs';

const need = createRequire(`${process.argv[3]}/`);
const { Client } = need('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = need('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = need('@modelcontextprotocol/sdk/client/streamableHttp.js');

const client = new Client({ name: 'typescript1', version: '1' });
const way = transport(StreamableHTTPClientTransport, StdioClientTransport);
let revision;
way.setProtocolVersion = ((set) => (version) => {
  revision = version;
  set?.call(way, version);
})(way.setProtocolVersion);
await client.connect(way);
console.log(JSON.stringify({ revision, answers: await answers(client, {}) }));
await client.close();
