// The TypeScript SDK's client of the second major: `node typescript2.mjs ASKED ENVIRONMENT`.
import { createRequire } from 'node:module';
import { answers, told, transport } from './typescript.mjs';

const need = createRequire(`${process.argv[3]}/`);
const { Client, StreamableHTTPClientTransport } = need('@modelcontextprotocol/client');
const { StdioClientTransport } = need('@modelcontextprotocol/client/stdio');

const client = new Client(
  { name: 'typescript2', version: '1' },
  {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode: told.modern ? { pin: '2026-07-28' } : 'legacy' },
  },
);
client.setRequestHandler('elicitation/create', async () => ({
  action: 'accept',
  content: { context: 'x' },
}));
await client.connect(transport(StreamableHTTPClientTransport, StdioClientTransport));
const given = await answers(client);
console.log(JSON.stringify({ revision: client.getNegotiatedProtocolVersion(), answers: given }));
await client.close();
