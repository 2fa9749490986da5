import { z } from "zod";
import type { ListedModel } from "./listed-model";

/** Reads the answer of Anthropic's `GET /v1/models`. */
export const anthropicModelListSchema = z
  .object({
    data: z.array(z.object({ id: z.string().min(1), display_name: z.string().optional() })),
  })
  .transform(({ data }): ListedModel[] =>
    data.map(({ id, display_name }) => ({ id, label: display_name })),
  );
