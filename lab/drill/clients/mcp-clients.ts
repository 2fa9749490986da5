import type { Client } from "./client";

/** Programs that list the tools of Grove's MCP server. */
export const mcpClients: readonly Client[] = [
  {
    name: "MCP Inspector",
    packages: ["@modelcontextprotocol/inspector@2.12.0"],
    command: "mcp-inspector",
    mcp: "lists",
    start: ({ address, key }) => ({
      args: [
        ...["--cli", `${address}/mcp`, "--transport", "http"],
        ...["--header", `Authorization: Bearer ${key}`, "--method", "tools/list"],
      ],
    }),
  },
  {
    name: "mcporter",
    packages: ["mcporter@0.12.3"],
    command: "mcporter",
    mcp: "lists",
    start: ({ address, key }) => ({
      args: [
        ...["list", "--http-url", `${address}/mcp`, "--allow-http", "--name", "grove"],
        ...["--header", `Authorization=Bearer ${key}`, "--no-oauth"],
      ],
    }),
  },
  {
    name: "Gemini CLI",
    packages: ["@google/gemini-cli@0.61.0"],
    command: "gemini",
    mcp: "lists",
    lists: "✓ grove",
    start: ({ address, key }) => {
      const headers = { Authorization: `Bearer ${key}` };
      const settings = {
        mcpServers: { grove: { httpUrl: `${address}/mcp`, headers } },
        security: { folderTrust: { enabled: false } },
      };
      return { args: ["mcp", "list"], settings: { ".gemini/settings.json": settings } };
    },
  },
  {
    name: "mcp-remote",
    packages: ["mcp-remote@0.15.1", "@modelcontextprotocol/client@2.4.0"],
    command: "node",
    mcp: "lists",
    // It is a program between one that speaks over its own input and output, and a server.
    start: ({ address, key }) => ({
      args: ["list.mjs"],
      environment: { PROGRAM_KEY: `Bearer ${key}` },
      settings: {
        "list.mjs": [
          'import { Client } from "@modelcontextprotocol/client";',
          'import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";',
          'const client = new Client({ name: "drill", version: "1" });',
          "await client.connect(new StdioClientTransport({",
          "  command: process.execPath, env: process.env,",
          `  args: ["../node_modules/mcp-remote/dist/proxy.js", "${address}/mcp", "--header", "Authorization:\${PROGRAM_KEY}"],`,
          "}));",
          "console.log((await client.listTools()).tools.map(({ name }) => name).join());",
          "await client.close();",
        ].join("\n"),
      },
    }),
  },
];
