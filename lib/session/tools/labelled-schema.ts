import { jsonSchema, type Schema } from "ai";
import { z } from "zod";

/**
 * Input schema of a tool about blocks. It shows the model the labels but accepts any, so that a wrong one is answered
 * in words; `block` is an alias of `label`.
 */
export function labelledSchema<Shape extends z.ZodRawShape>(
  labels: readonly string[],
  shape: Shape,
): Schema<z.infer<z.ZodObject<Shape & { label: z.ZodString }>>> {
  const offered = z.object({ label: z.enum(labels).describe("The block."), ...shape });
  const accepted = z.object({ ...shape, label: z.string() });
  return jsonSchema(toJsonSchema(offered), {
    validate: (value) => {
      const result = accepted.safeParse(withLabel(value));
      return result.success
        ? {
            success: true,
            value: result.data as z.infer<z.ZodObject<Shape & { label: z.ZodString }>>,
          }
        : { success: false, error: result.error };
    },
  });
}

function toJsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as Parameters<
    typeof jsonSchema
  >[0];
}

function withLabel(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "label" in value || !("block" in value))
    return value;
  return { ...value, label: value.block };
}
