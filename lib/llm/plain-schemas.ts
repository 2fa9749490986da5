import type { JSONSchema7, LanguageModelV4Middleware } from "@ai-sdk/provider";

/**
 * Offers tools without the patterns of their inputs. Servers that make a grammar of a schema, as llama.cpp does, refuse
 * the whole request for a pattern they cannot convert; the tool checks its input anyway.
 *
 * @see https://github.com/ggml-org/llama.cpp/issues/26930
 */
export const plainSchemas: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  transformParams: async ({ params }) => {
    if (!params.tools) return params;
    const tools = params.tools.map((tool) =>
      tool.type === "function" ? { ...tool, inputSchema: withoutPatterns(tool.inputSchema) } : tool,
    );
    return { ...params, tools };
  },
};

export function withoutPatterns(schema: JSONSchema7): JSONSchema7 {
  return plain(schema, false) as JSONSchema7;
}

/** Keywords whose fields are names. */
const named = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords whose values are data. */
const literal = new Set(["const", "default", "enum", "examples"]);

function plain(value: unknown, hasNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each, false));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).flatMap(([key, inner]) => {
    if (hasNames) return [[key, plain(inner, false)]];
    if (key === "pattern" || key === "patternProperties") return [];
    return [[key, literal.has(key) ? inner : plain(inner, named.has(key))]];
  });
  return Object.fromEntries(fields);
}
