import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

export function startTracing({ version }: { version: string }): () => Promise<void> {
  // Addresses of pages that a model reads are not for other eyes.
  process.env.NEXT_OTEL_FETCH_DISABLED = "1";
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": process.env.OTEL_SERVICE_NAME || "grove",
      "service.version": version,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: withoutTexts(new OTLPTraceExporter()) })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}

const allowed: ReadonlySet<string> = new Set([
  "http.method",
  "http.request.method",
  "http.status_code",
  "http.response.status_code",
  "http.route",
  "next.route",
  "next.span_type",
  "grove.model",
  "grove.status",
]);

/** Other fields may hold a person's words: addresses, searches, messages of errors. */
function withoutTexts(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(cleaned), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function cleaned(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => allowed.has(name)),
  );
  const isRouted = "next.route" in attributes || "http.route" in attributes;
  const [first = span.name] = span.name.split(" ");
  const name = isRouted || !span.name.includes("/") ? span.name : first;
  return Object.create(span, {
    name: { value: name.split("?", 1)[0] },
    attributes: { value: attributes },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}
