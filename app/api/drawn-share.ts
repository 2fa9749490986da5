import { createHash } from "node:crypto";
import { pageFile } from "@/app/_message/page-file/page-file";
import { previewEnd } from "@/app/_message/page-file/share-links";
import { pageCopy } from "@/app/api/page-copy";
import { HttpError } from "@/lib/server/http-error";
import type { OwnerServices } from "@/lib/server/owner-services";
import { type Drawing, type DrawnShare, packed } from "@/lib/server/shares";
import { pageSource } from "./sessions/[sessionId]/page-source";

/** @throws {HttpError} `page-changed` when the person saw another page, or it changed meanwhile. */
export async function drawnShare(owner: OwnerServices, drawing: Drawing): Promise<DrawnShare> {
  const { sessionId, shareId, snapshot } = drawing;
  const { shows, sha256 } = snapshot;
  const { texts, source, shown, hash } = await pageOf(owner, drawing);
  const page = await packed(texts);
  const drawn = hash.digest("hex");
  if (sha256 !== undefined && drawn !== sha256) throw pageChanged();
  const { title, leafId } = source;
  const about = { id: shareId, title, leafId, shown, shows };
  const copy = await packed(pageCopy(owner.data.export({ sessionId }), about));
  // The copy was read later, and shall hold what the page shows.
  const again = await pageOf(owner, drawing);
  for await (const text of again.texts) void text;
  if (again.hash.digest("hex") !== drawn) throw pageChanged();
  return { title, leafId, packed: { page, copy } };
}

/** The SHA-256 at its end names what was seen. */
export async function sharePreview(owner: OwnerServices, drawing: Omit<Drawing, "shareId">) {
  const { texts, hash } = await pageOf(owner, drawing);
  return endedBy(texts, () => previewEnd(hash.digest("hex")));
}

async function* endedBy(texts: AsyncIterable<string>, end: () => string): AsyncGenerator<string> {
  yield* texts;
  yield end();
}

async function pageOf(
  owner: OwnerServices,
  { sessionId, snapshot, canReport }: Omit<Drawing, "shareId">,
) {
  const { leafId, shows } = snapshot;
  const source = await pageSource(owner, sessionId, leafId);
  const shown = new Set<string>();
  const hash = createHash("sha256");
  const page = pageFile(source, {
    ...shows,
    savedAt: new Date(),
    shared: { titleInPreviews: shows.title, canReport },
    onShown: (id) => shown.add(id),
  });
  return { source, shown, hash, texts: hashed(page, (text) => hash.update(text)) };
}

function pageChanged(): HttpError {
  return new HttpError(
    409,
    "page-changed",
    "The chat has changed since you saw the preview. Look at it again, then share it.",
  );
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
