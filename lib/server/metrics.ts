import { createHash, timingSafeEqual } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface MetricsSources {
  readonly token: string;
  readonly version: string;
  readonly running: () => number;
  readonly openTabs: () => number;
  readonly stored: () => Promise<StoredFigures | null>;
}

export interface StoredFigures {
  readonly databaseBytes: number;
  readonly postgres: string;
  readonly lastBackupAt: Date | null;
}

/** Figures hold no texts, names or addresses. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #token: string;
  readonly #ended: Counter<"kind" | "status">;
  readonly #refresh: () => Promise<void>;

  constructor({ token, version, ...sources }: MetricsSources) {
    this.#token = token;
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge("grove_info", "Always 1; the label is the version that runs.", ["version"]).set(
      { version },
      1,
    );
    this.#ended = new Counter({
      name: "grove_ended_total",
      help: "Answers and summaries that have ended.",
      labelNames: ["kind", "status"],
      registers,
    });
    this.#refresh = this.#gauges(sources);
    this.#observeRequests();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  admits(header: string | null): boolean {
    return timingSafeEqual(digestOf(header ?? ""), digestOf(`Bearer ${this.#token}`));
  }

  countEnd(kind: "answer" | "summary", status: string): void {
    this.#ended.inc({ kind, status });
  }

  async text(): Promise<string> {
    await this.#refresh();
    return this.#registry.metrics();
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauges({ running, openTabs, stored }: Omit<MetricsSources, "token" | "version">) {
    const runs = this.#gauge("grove_running", "Answers and summaries that are being written.");
    const tabs = this.#gauge("grove_open_tabs", "Tabs that follow live updates.");
    const up = this.#gauge("grove_database_up", "Whether the database answers.");
    const bytes = this.#gauge("grove_database_bytes", "Size of the database.");
    const backup = this.#gauge(
      "grove_last_backup_timestamp_seconds",
      "When the last backup succeeded; 0 without one.",
    );
    return async () => {
      runs.set(running());
      tabs.set(openTabs());
      const figures = await stored();
      up.set(figures === null ? 0 : 1);
      if (figures === null) return;
      bytes.set(figures.databaseBytes);
      backup.set((figures.lastBackupAt?.getTime() ?? 0) / 1_000);
    };
  }

  #observeRequests(): void {
    const seconds = new Histogram({
      name: "grove_http_request_duration_seconds",
      help: "Time until a response has ended, streams of events excluded.",
      labelNames: ["method", "status"],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [this.#registry],
    });
    const begun = new WeakMap<object, number>();
    subscribe("http.server.request.start", (message) => {
      const { request } = message as { request: IncomingMessage };
      begun.set(request, performance.now());
    });
    subscribe("http.server.response.finish", (message) => {
      const { request, response } = message as {
        request: IncomingMessage;
        response: ServerResponse;
      };
      const at = begun.get(request);
      const type = String(response.getHeader("content-type") ?? "");
      if (at === undefined || type.startsWith("text/event-stream")) return;
      const labels = { method: methodOf(request), status: String(response.statusCode) };
      seconds.observe(labels, (performance.now() - at) / 1_000);
    });
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Clients can send any other method. */
function methodOf({ method = "" }: IncomingMessage): string {
  return methods.includes(method) ? method : "other";
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
