// A client made with the TypeScript SDK: it does what its argument says, a JSON object
// {command, args} or {url, token} with {page}, and prints what came of it as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const how = JSON.parse(process.argv[2]);
const transport = how.url
  ? new StreamableHTTPClientTransport(new URL(how.url), { requestInit: { headers: { Authorization: `Bearer ${how.token}` } } })
  : new StdioClientTransport({ command: how.command, args: how.args, env: process.env });
const client = new Client({ name: "typescript", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const opened = await client.callTool({ name: "browser_navigate", arguments: { url: how.page } });
let progress = 0;
await client.callTool({ name: "browser_wait", arguments: { ms: 4500 } }, undefined, { onprogress: () => { progress++; } });
if (how.url) await transport.terminateSession();
await client.close();
console.log(JSON.stringify({ tools: tools.length, title: tools.find((t) => t.name === "browser_click")?.annotations?.title, url: opened.structuredContent?.url, progress }));
