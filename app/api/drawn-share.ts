import { createHash } from "node:crypto";
import { pageFile } from "@/app/_message/page-file/page-file";
import { pageCopy } from "@/app/api/page-copy";
import { HttpError } from "@/lib/server/http-error";
import type { OwnerServices } from "@/lib/server/owner-services";
import { type Drawing, type DrawnShare, packed } from "@/lib/server/shares";
import { pageSource } from "./sessions/[sessionId]/page-source";

/** Takes the page of a chat as it is now. @throws {HttpError} `page-changed`. */
export async function drawnShare(
  owner: OwnerServices,
  { sessionId, shareId, snapshot, canReport }: Drawing,
): Promise<DrawnShare> {
  const { leafId, shows, sha256 } = snapshot;
  const source = await pageSource(owner, sessionId, leafId);
  const shown = new Set<string>();
  const hash = createHash("sha256");
  const page = await packed(
    hashed(
      pageFile(source, {
        ...shows,
        savedAt: new Date(),
        shared: { titleInPreviews: shows.title, canReport },
        onShown: (id) => shown.add(id),
      }),
      (text) => hash.update(text),
    ),
  );
  if (sha256 !== undefined && hash.digest("hex") !== sha256)
    throw new HttpError(
      409,
      "page-changed",
      "The chat has changed since you saw the preview. Look at it again, then share it.",
    );
  const { title } = source;
  const about = { id: shareId, title, leafId: source.leafId, shown, shows };
  const copy = await packed(pageCopy(owner.data.export({ sessionId }), about));
  return { title, leafId: source.leafId, packed: { page, copy } };
}

async function* hashed(
  texts: AsyncIterable<string>,
  add: (text: string) => void,
): AsyncGenerator<string> {
  for await (const text of texts) {
    add(text);
    yield text;
  }
}
