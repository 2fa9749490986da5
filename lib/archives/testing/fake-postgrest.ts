import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Row = Record<string, unknown>;

const maxRows = 4;

/**
 * Answers the requests of an archive as PostgREST would, from memory. A fake: it shows that the client's requests are
 * well-formed, not that a server takes them.
 */
export class FakePostgrest {
  readonly #rows = new Map<string, Row>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        const { searchParams } = new URL(request.url ?? "", "http://localhost");
        const [status, rows] = this.#answer(request.method, searchParams, body);
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(rows));
      });
    });
  }

  static async start(): Promise<FakePostgrest> {
    const made = new FakePostgrest();
    await new Promise<void>((done) => made.#server.listen(0, "127.0.0.1", done));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(method: string | undefined, query: URLSearchParams, body: string): [number, unknown] {
    if (method === "POST") {
      const row = JSON.parse(body) as Row;
      this.#rows.set(keyOf(row), row);
      return [201, []];
    }
    const found = [...this.#rows.values()].filter((row) => matches(row, query));
    if (method === "DELETE") {
      for (const row of found) this.#rows.delete(keyOf(row));
      return [200, found.map((row) => chosen(row, query))];
    }
    const ordered = query.has("order") ? found.sort(bySessionId) : found;
    const limit = Math.min(maxRows, Number(query.get("limit") ?? maxRows));
    return [200, ordered.slice(0, limit).map((row) => chosen(row, query))];
  }
}

function keyOf({ owner, session_id }: Row): string {
  return JSON.stringify([owner, session_id]);
}

function matches(row: Row, query: URLSearchParams): boolean {
  return [...query].every(([column, condition]) => {
    const [, operator, value = ""] = /^(eq|gt)\.(.*)$/s.exec(condition) ?? [];
    if (operator === undefined) return true;
    return operator === "eq" ? row[column] === value : String(row[column]) > value;
  });
}

function chosen(row: Row, query: URLSearchParams): Row {
  const columns = (query.get("select") ?? "").split(",");
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}

function bySessionId(first: Row, second: Row): number {
  return String(first.session_id) < String(second.session_id) ? -1 : 1;
}
