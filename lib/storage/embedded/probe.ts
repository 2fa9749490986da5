import type { Sql } from "grove-session/postgres";
import { connect } from "@/lib/postgres/start";
import { processName } from "./process-name";

/** "busy" is a server that starts up, recovers or shuts down. */
export type ServerState = "answers" | "busy" | "silent";

const cannotConnectNow = "57P03";

export async function probe(address: string): Promise<ServerState> {
  const sql = connectOnce(address);
  try {
    await sql`select 1`;
    return "answers";
  } catch (error) {
    return (error as { code?: string }).code === cannotConnectNow ? "busy" : "silent";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A single connection, not replaced after half an hour like those of a pool. */
export function connectOnce(address: string, onclose?: () => void): Sql {
  return connect(address, {
    max: 1,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    // The driver would query array types first, and its failure could not be caught.
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: processName },
    ...(onclose ? { onclose } : {}),
  });
}
