import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTracing } from "./tracing";

test("spans say what took how long, and nothing that a person wrote", async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(`${request.url} ${await text(request)}`);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());

  const stop = startTracing({ version: "1.2.3" });
  const tracer = trace.getTracer("next.js");
  const span = tracer.startSpan("GET /api/search?q=my-diary", {
    attributes: { "http.target": "/api/search?q=my-diary", "http.status_code": 500 },
  });
  span.recordException(new Error("my-diary"));
  span.setStatus({ code: SpanStatusCode.ERROR, message: "my-diary" });
  span.end();
  tracer.startSpan("GET /s/[sessionId]", { attributes: { "next.route": "/s/[sessionId]" } }).end();
  await stop();

  const [sent = ""] = received;
  expect(sent).toMatch(/^\/v1\/traces /);
  expect(sent).not.toContain("diary");
  for (const part of ["1.2.3", '"name":"GET"', '"name":"GET /s/[sessionId]"', "http.status_code"])
    expect(sent).toContain(part);
});
