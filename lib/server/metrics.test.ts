import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Metrics, type MetricsSources } from "./metrics";

const sources: MetricsSources = {
  token: "a-token-of-sixteen",
  version: "1.2.3",
  running: () => 2,
  openTabs: () => 3,
  stored: async () => ({ databaseBytes: 4_096, postgres: "18.4", lastBackupAt: new Date(5_000) }),
};

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => /^grove_/.test(line));
}

test("figures are of this moment", async () => {
  const metrics = new Metrics(sources);
  metrics.countEnd("answer", "complete");
  metrics.countEnd("answer", "complete");
  expect(linesOf(await metrics.text())).toEqual([
    'grove_info{version="1.2.3"} 1',
    'grove_ended_total{kind="answer",status="complete"} 2',
    "grove_running 2",
    "grove_open_tabs 3",
    "grove_database_up 1",
    "grove_database_bytes 4096",
    "grove_last_backup_timestamp_seconds 5",
  ]);
});

test("a database that does not answer is a figure, too", async () => {
  const text = await new Metrics({ ...sources, stored: async () => null }).text();
  expect(linesOf(text)).toContain("grove_database_up 0");
});

test("only the token opens them", () => {
  const metrics = new Metrics(sources);
  const headers = ["Bearer a-token-of-sixteen", "Bearer a-token", "a-token-of-sixteen", null];
  expect(headers.map((header) => metrics.admits(header))).toEqual([true, false, false, false]);
});

test("requests are counted by method and status, without their addresses", async () => {
  const metrics = new Metrics(sources);
  const server = createServer((_, response) => response.writeHead(404).end()).listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/s/secret?q=words`, { method: "POST" });
  await response.text();
  const count = 'grove_http_request_duration_seconds_count{method="POST",status="404"} 1';
  await expect.poll(async () => linesOf(await metrics.text())).toContain(count);
  expect(await metrics.text()).not.toMatch(/secret|words/);
});
