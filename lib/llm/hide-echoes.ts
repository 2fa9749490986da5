import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { joinDeltas } from "./join-deltas";
import { SecretFilter } from "./known-secrets";
import type { Delta, StreamPart } from "./stream-parts";
import { type Transform, transformStream } from "./transform-stream";

const endOf = {
  "text-end": "text-delta",
  "reasoning-end": "reasoning-delta",
  "tool-input-end": "tool-input-delta",
} as const satisfies Partial<Record<StreamPart["type"], Delta["type"]>>;

export function hideEchoes(key: string): LanguageModelV4Middleware {
  return {
    specificationVersion: "v4",
    wrapGenerate: async ({ doGenerate }) => {
      const result = await doGenerate();
      return { ...result, content: result.content.map((part) => withoutKey(part, key)) };
    },
    wrapStream: async ({ doStream }) => {
      const result = await doStream();
      return { ...result, stream: transformStream(joinDeltas(result.stream), hiding(key)) };
    },
  };
}

function hiding(key: string): Transform<StreamPart> {
  const filters = new Map<string, { readonly last: Delta; readonly filter: SecretFilter }>();
  return {
    transform(part, output) {
      if ("delta" in part) {
        const place = `${part.type} ${part.id}`;
        const { filter } = filters.get(place) ?? { filter: new SecretFilter(key) };
        filters.set(place, { last: part, filter });
        const delta = filter.take(part.delta);
        if (delta !== "" || part.providerMetadata) output.enqueue({ ...part, delta });
        return;
      }
      if (part.type in endOf && "id" in part) {
        const place = `${endOf[part.type as keyof typeof endOf]} ${part.id}`;
        const open = filters.get(place);
        filters.delete(place);
        const delta = open?.filter.end() ?? "";
        if (open && delta !== "") output.enqueue({ type: open.last.type, id: open.last.id, delta });
      }
      output.enqueue(withoutKey(part, key));
    },
  };
}

/** A file holds bytes, and an error is described without any key. */
function withoutKey<Content extends { readonly type: string }>(
  part: Content,
  key: string,
): Content {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "tool-call":
    case "tool-result":
    case "source": {
      const filter = new SecretFilter(key);
      let isChanged = false;
      const json = JSON.stringify(part, (_, value: unknown) => {
        if (typeof value !== "string") return value;
        const shown = filter.whole(value);
        isChanged ||= shown !== value;
        return shown;
      });
      return isChanged ? (JSON.parse(json) as Content) : part;
    }
    default:
      return part;
  }
}
