import { estimateStringTokens } from "grove-session";
import { assertMay } from "./keys";
import type { CountedRequest } from "./messages-request";
import type { Program } from "./program";
import type { JsonRecord } from "./response-writer";

/** Tokens that Anthropic counts for a picture of usual size. */
const tokensOfFile = 1_600;

/** Estimated: models count differently, and most servers count nothing in advance. */
export async function countTokens(
  { key, chooseModel }: Pick<Program, "key" | "chooseModel">,
  { model, system, messages, tools }: CountedRequest,
): Promise<JsonRecord> {
  const { info } = await chooseModel(model);
  assertMay(key, { writes: false, model: info.ref });
  let files = 0;
  const words = JSON.stringify([system, messages, tools], (name, value: unknown) => {
    if (name === "cache_control") return undefined;
    const isFile = name === "source" && typeof value === "object";
    if (isFile) files += 1;
    return isFile ? undefined : value;
  });
  return { input_tokens: estimateStringTokens(words) + files * tokensOfFile };
}
