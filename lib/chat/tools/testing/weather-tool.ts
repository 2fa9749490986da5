import { jsonSchema, tool } from "ai";
import type { OwnerTool, ToolRun, ToolSource } from "@/lib/chat/core/tool-source";
import type { ToolOrigin, ToolPolicy } from "@/lib/chat/wire/tools";

export interface WeatherOptions {
  readonly policy?: ToolPolicy;
  readonly kind?: ToolOrigin["kind"];
  readonly answer?: (city: string, signal: AbortSignal | undefined) => unknown;
  readonly onClose?: () => void;
}

/** A tool from outside that notes each call. */
export function weatherSource({
  policy = "on",
  kind = "mcp",
  answer,
  onClose,
}: WeatherOptions = {}): {
  readonly source: ToolSource;
  readonly calls: string[];
} {
  const calls: string[] = [];
  const make = (run: ToolRun) => {
    if (onClose) run.atEnd(onClose);
    return tool({
      description: "Tells the weather of a city.",
      inputSchema: jsonSchema<{ city: string }>({
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      }),
      execute: async ({ city }, { abortSignal }) => {
        calls.push(city);
        return answer ? answer(city, abortSignal) : `Sunny in ${city}`;
      },
    });
  };
  const weather: OwnerTool = {
    name: "weather",
    title: "Weather",
    note: "Tells the weather of a city.",
    origin: { kind, name: "Station" },
    defaultPolicy: policy,
    make,
  };
  return { source: { tools: () => [weather] }, calls };
}
