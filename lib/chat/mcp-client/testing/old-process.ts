import { existsSync } from "node:fs";
import { createInterface } from "node:readline";

/** A program that speaks the protocol of 2025 alone, and asks the person with a request of its own. */
const send = (message: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const requestedSchema = {
  type: "object",
  properties: { day: { type: "string", format: "date" } },
  required: ["day"],
};
const tool = { name: "weather", description: "Tells.", inputSchema: { type: "object" } };
let callId: unknown;

const { WAITS_FOR, API_KEY, SSL_CERT_FILE } = process.env;
if (WAITS_FOR !== undefined && !existsSync(WAITS_FOR)) {
  process.stderr.write(`The key is ${API_KEY}, certificates are in ${SSL_CERT_FILE}\n`);
  process.stderr.write("Not ready yet\n");
  process.exit(1);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === "initialize") {
    const serverInfo = { name: "old", version: "1" };
    const versions = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
    send({ id, result: versions });
  } else if (method === "tools/list") send({ id, result: { tools: [tool] } });
  else if (method === "tools/call") {
    callId = id;
    const params = { message: "Which day?", requestedSchema };
    send({ id: "q", method: "elicitation/create", params });
  } else if (id === "q") {
    const content = [{ type: "text", text: `Answered ${JSON.stringify(result)}` }];
    send({ id: callId, result: { content } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: "Unknown method" } });
});
