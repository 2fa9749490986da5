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

/** Schemas of connected servers are the same objects at each step of an answer, and may be hundreds. */
const plainOf = new WeakMap<JSONSchema7, JSONSchema7>();

/** Returns the same object for a schema without patterns, and for the same schema. */
export function withoutPatterns(schema: JSONSchema7): JSONSchema7 {
  const known = plainOf.get(schema);
  if (known) return known;
  const made = plain(schema, false) as JSONSchema7;
  plainOf.set(schema, made);
  return made;
}

/** Keywords whose fields are names. */
const named = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords whose values are data. */
const literal = new Set(["const", "default", "enum", "examples"]);

function plain(value: unknown, hasNames: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each) => plain(each, false));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const fields = entries.flatMap(([key, inner]) => {
    if (hasNames) return [[key, plain(inner, false)] as const];
    if (key === "pattern" || key === "patternProperties") return [];
    return [[key, literal.has(key) ? inner : plain(inner, named.has(key))] as const];
  });
  const isSame =
    fields.length === entries.length && fields.every(([, inner], at) => inner === entries[at]?.[1]);
  return isSame ? value : Object.fromEntries(fields);
}
