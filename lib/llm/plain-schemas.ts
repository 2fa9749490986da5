import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
} from "@ai-sdk/provider";

/**
 * llama.cpp makes a grammar of a schema, and refuses a pattern it cannot convert. Inputs and answers are checked
 * anyway. @see https://github.com/ggml-org/llama.cpp/issues/26930
 */
export const plainSchemas: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  transformParams: async ({ params }) => {
    const { tools, responseFormat: format } = params;
    return {
      ...params,
      ...(tools && { tools: tools.map(plainTool) }),
      ...(format?.type === "json" &&
        format.schema && {
          responseFormat: { ...format, schema: withoutPatterns(format.schema) },
        }),
    };
  },
};

type Tool = NonNullable<LanguageModelV4CallOptions["tools"]>[number];

function plainTool(tool: Tool): Tool {
  return tool.type === "function"
    ? { ...tool, inputSchema: withoutPatterns(tool.inputSchema) }
    : tool;
}

/** Hundreds of tools keep the same schema objects at each step. */
const plainOf = new WeakMap<JSONSchema7, JSONSchema7>();

export function withoutPatterns(schema: JSONSchema7): JSONSchema7 {
  const known = plainOf.get(schema);
  if (known) return known;
  const made = plain(schema, false) as JSONSchema7;
  plainOf.set(schema, made);
  return made;
}

const named = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
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
