import "server-only";
import type { HouseSharesWire } from "@/lib/chat/wire/shares";
import { toWire } from "@/lib/chat/wire/wire";
import { sharesOfHouse, takeDown } from "@/lib/storage/shares/postgres-shares";
import { HttpError } from "./http-error";
import { note, type OwnContext, ownOf } from "./own-account";
import { originOf } from "./route";
import { sealContext } from "./shares";

type SharesContext = OwnContext & { readonly request: Request };

/** Administrators see who shares, not what, until a page that anybody may open is reported. */
export async function houseShares({ services, request }: SharesContext): Promise<HouseSharesWire> {
  const { sql, secrets } = services;
  const found = await sharesOfHouse(sql);
  const shares = found.map(async ({ share, person }) => {
    const { shareId: id, ownerId, audience, createdAt, views, reports, takenDownAt } = share;
    const hasPassword = share.password !== null;
    const isSeen = reports > 0 && audience !== "people" && !hasPassword && takenDownAt === null;
    const token = isSeen ? await secrets.open(share.token, sealContext(ownerId, id)) : null;
    return toWire({
      ...{ id, audience, hasPassword, createdAt, views, reports },
      who: person.name,
      isTakenDown: takenDownAt !== null,
      link: token === null ? null : `${originOf(request)}/shared/${token}`,
    });
  });
  return { shares: await Promise.all(shares) };
}

export async function takeDownShare(
  context: SharesContext,
  shareId: string,
): Promise<HouseSharesWire> {
  const { sql } = context.services;
  const [found] = await sharesOfHouse(sql, shareId);
  if (!found) throw new HttpError(404, "share-not-found", "This link was stopped already.");
  await takeDown(sql, found.share);
  await note(ownOf(context), "share-taken-down", { subject: found.person.userId });
  return houseShares(context);
}
