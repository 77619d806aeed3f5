// A server of the official TypeScript SDK that lists the tools and gives the answer of a file. Arguments: the folder
// whose node_modules has the SDK, HOST:PORT, the file, and how: checked (McpServer, which holds arguments and answers
// against the schemas of the tools) or bare (Server, which hands everything through).
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [clients, address, file, how] = process.argv.slice(2);
const find = createRequire(join(resolve(clients), 'package.json'));
const load = (name) => import(pathToFileURL(find.resolve('@modelcontextprotocol/sdk/' + name)));
const { McpServer } = await load('server/mcp.js');
const { Server } = await load('server/index.js');
const { StreamableHTTPServerTransport } = await load('server/streamableHttp.js');
const { CallToolRequestSchema, ListToolsRequestSchema } = await load('types.js');

const { list, call } = JSON.parse(readFileSync(file, 'utf8'));
const { z } = find('zod');
const sessions = new Map();

function bare() {
  const server = new Server({ name: 'typescript', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list.tools }));
  server.setRequestHandler(CallToolRequestSchema, () => call);
  return server;
}

// The schemas are made once, as in a program that declares them.
const tools = list.tools.map(({ name, inputSchema, outputSchema, ...rest }) => [
  name,
  { ...rest, inputSchema: z.fromJSONSchema(inputSchema), outputSchema: z.fromJSONSchema(outputSchema) },
]);

function checked() {
  const server = new McpServer({ name: 'typescript', version: '1' });
  for (const [name, about] of tools) server.registerTool(name, about, () => call);
  return server;
}

// A session is a server of its own, as in the SDK's examples.
async function open() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  const server = how === 'bare' ? bare() : checked();
  await server.connect(transport);
  return transport;
}

const http = createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req) body += chunk;
  const transport = sessions.get(req.headers['mcp-session-id']) ?? (await open());
  await transport.handleRequest(req, res, body ? JSON.parse(body) : undefined);
});
const [host, port] = address.split(':');
http.listen(Number(port), host);
process.on('SIGTERM', () => process.exit(0));
