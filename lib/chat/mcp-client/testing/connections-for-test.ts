import { onTestFinished } from "vitest";
import { type ConnectionLimits, ToolConnections } from "@/lib/chat/mcp-client/connections";

/** Its programs end with the test. */
export function connectionsForTest(limits: Partial<ConnectionLimits> = {}): ToolConnections {
  const connections = new ToolConnections(limits);
  onTestFinished(() => connections.end());
  return connections;
}
