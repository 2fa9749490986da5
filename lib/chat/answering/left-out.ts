import { withheldFile } from "@/lib/chat/files/given-files";
import { attachedFile, fileKind } from "@/lib/chat/wire/files";
import type { LeftOutWire } from "@/lib/chat/wire/messages";
import type { Feature } from "@/lib/llm";
import type { AnswerInput } from "./answer-input";

const mostNamed = 20;

/** Parts of its input that a model did not get, for a mark on the answer; `null` when it got all. */
export function leftOutOf({
  messages,
  refusals,
}: Pick<AnswerInput, "messages" | "refusals">): LeftOutWire | null {
  const refused = refusals.map(({ feature }) => feature);
  const files = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => withheldFile(part) ?? refusedFile(part, refused) ?? []),
  );
  if (files.length === 0 && refused.length === 0) return null;
  return {
    ...(refused.length > 0 && { refused }),
    ...(files.length > 0 && { files: files.slice(-mostNamed), fileCount: files.length }),
  };
}

function refusedFile(part: { readonly type: string }, refused: readonly Feature[]) {
  const file = attachedFile(part);
  if (!file) return null;
  const kind = fileKind(file);
  if (kind === "image" && refused.includes("images"))
    return { name: file.name, reason: "this model takes no images" };
  if (kind === "pdf" && refused.includes("pdfs"))
    return { name: file.name, reason: "this model takes no PDFs" };
  return null;
}
