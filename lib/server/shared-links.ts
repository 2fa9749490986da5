import "server-only";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { addressHeader } from "@/lib/accounts/address-header";
import { countView, liveShare } from "@/lib/storage/shares/postgres-shares";
import { logFailure } from "./log";
import type { Identity } from "./owner-of";
import { signInLimits } from "./rate-limits";
import type { Services } from "./services";
import { isPasswordOf, tokenHash } from "./shares";

export { piecesOf } from "@/lib/storage/shares/postgres-shares";

export type LiveShare = NonNullable<Awaited<ReturnType<typeof liveShare>>>;

export type OpenedLink =
  | { readonly kind: "gone" }
  | { readonly kind: "sign-in" }
  | { readonly kind: "asks"; readonly isWrong: boolean }
  | { readonly kind: "open"; readonly share: LiveShare; readonly isOwn: boolean };

interface LinkRequest {
  readonly services: Services;
  readonly headers: Pick<Headers, "get">;
  readonly token: string;
  readonly password: string | null;
}

/** Every kind of end is the same to the reader. */
const gone: OpenedLink = { kind: "gone" };

/** @throws {AccountError} `too-many-attempts` of links or passwords. */
export async function openLink({
  services,
  headers,
  token,
  password,
}: LinkRequest): Promise<OpenedLink> {
  await services.readySoon();
  const address = headers.get(addressHeader) ?? "unknown";
  const share = await liveShare(services.sql, tokenHash(token));
  if (!share) {
    services.counts.take(`link ${address}`, signInLimits.address);
    return gone;
  }
  const identity = await services.identify(headers);
  const isOwn = identity?.personId === share.madeBy;
  if (!isOwn && !isFor(share, identity)) return identity ? gone : { kind: "sign-in" };
  if (isOwn || share.password === null) return { kind: "open", share, isOwn };
  if (password === null) return { kind: "asks", isWrong: false };
  const attempts = `password of ${share.shareId}`;
  services.counts.take(`${attempts} ${address}`, signInLimits.account);
  services.counts.take(attempts, signInLimits.accountAnywhere);
  if (!(await isPasswordOf(share.password, password))) return { kind: "asks", isWrong: true };
  services.counts.forget(`${attempts} ${address}`);
  return { kind: "open", share, isOwn };
}

function isFor({ audience, people }: LiveShare, identity: Identity | null): boolean {
  if (audience === "anyone") return true;
  if (!identity?.person || identity.person.deletesAt !== null) return false;
  return audience === "house" || people.some(({ personId }) => personId === identity.personId);
}

const previews = /bot\b|crawler|spider|preview|facebookexternalhit|whatsapp/i;

/** The person's own views, and programs that make previews of links, do not count. */
export async function noteView(
  { sql }: Pick<Services, "sql">,
  { share, isOwn }: { readonly share: LiveShare; readonly isOwn: boolean },
  { method, headers }: Request,
): Promise<void> {
  if (isOwn || method === "HEAD" || previews.test(headers.get("user-agent") ?? "")) return;
  // A database that takes no writes can still be read.
  await countView(sql, share).catch((error) => logFailure("Counting a view of a share", error));
}

export function unpacked(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  // An error of a piece reaches the reader of the last stream.
  pipeline(Readable.from(pieces), gunzip, () => undefined);
  return gunzip;
}
