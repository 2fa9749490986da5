import "server-only";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { addressHeader } from "@/lib/accounts/address-header";
import { importEverything } from "@/lib/chat/data/portable-data";
import type { CopiedShareWire, copyShareRequest } from "@/lib/chat/wire/shares";
import { countView, liveShare, piecesOf, reportShare } from "@/lib/storage/shares/postgres-shares";
import { HttpError } from "./http-error";
import { logFailure } from "./log";
import { networkOf } from "./network-of";
import type { Identity } from "./owner-of";
import { signInLimits } from "./rate-limits";
import type { RouteContext } from "./route";
import type { Services } from "./services";
import { isPasswordOf, tokenHash } from "./shares";

export { piecesOf };

export type LiveShare = NonNullable<Awaited<ReturnType<typeof liveShare>>>;

export type OpenedLink =
  | { readonly kind: "gone" }
  | { readonly kind: "sign-in" }
  | { readonly kind: "asks"; readonly share: LiveShare; readonly isWrong: boolean }
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
  const address = networkOf(headers.get(addressHeader) ?? "unknown");
  const share = await liveShare(services.sql, tokenHash(token));
  if (!share) {
    services.counts.take(`link ${address}`, signInLimits.address);
    return gone;
  }
  const identity = await services.identify(headers);
  const isOwn = identity?.personId === share.madeBy;
  if (!isOwn && !isFor(share, identity)) return identity ? gone : { kind: "sign-in" };
  if (share.password === null) return { kind: "open", share, isOwn };
  if (password === null) return { kind: "asks", share, isWrong: false };
  const attempts = `password of ${share.shareId}`;
  services.counts.take(`${attempts} ${address}`, signInLimits.account);
  services.counts.take(attempts, signInLimits.accountAnywhere);
  if (!(await isPasswordOf(share.password, password)))
    return { kind: "asks", share, isWrong: true };
  services.counts.forget(`${attempts} ${address}`);
  services.counts.giveBack(attempts);
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

/** @returns false for a link that leads nowhere. */
export async function reportLink(
  services: Services,
  { headers }: Request,
  token: string,
): Promise<boolean> {
  await services.readySoon();
  const address = networkOf(headers.get(addressHeader) ?? "unknown");
  services.counts.take(`report ${address}`, signInLimits.code);
  const link = await openLink({ services, headers, token, password: null });
  if (link.kind === "open" || link.kind === "asks") await reportShare(services.sql, link.share);
  return link.kind !== "gone";
}

interface CopyContext extends Pick<RouteContext<unknown>, "services" | "owner" | "request"> {
  readonly body: z.output<typeof copyShareRequest>;
}

export async function copyShared({
  services,
  owner,
  request: { headers },
  body: { token, password, id },
}: CopyContext): Promise<CopiedShareWire> {
  const link = await openLink({ services, headers, token, password: password ?? null });
  if (link.kind === "asks")
    throw new HttpError(403, "wrong-password", "This is not the password of the link.", "password");
  if (link.kind !== "open") throw new HttpError(404, "share-not-found", "This link leads nowhere.");
  const bytes = unpacked(piecesOf(services.sql, link.share, "copy"));
  const report = await importEverything(owner, namedLines(bytes, link.share.shareId, id));
  const [copied] = report.outcomes;
  if (!copied || copied.outcome === "failed") {
    const reason = copied?.message ?? "The chat could not be copied. Save its file instead.";
    throw new HttpError(409, "not-copied", reason);
  }
  return {
    sessionId: copied.sessionId,
    leftOut: report.problems.map(({ message }) => message),
  };
}

async function* namedLines(
  bytes: AsyncIterable<Uint8Array>,
  shareId: string,
  sessionId: string,
): AsyncGenerator<string> {
  for await (const text of linesOf(bytes)) {
    const isHead = /^\{"type":"session(-end)?"/.test(text);
    const line = isHead
      ? text.replace(`"id":"${shareId}"`, `"id":${JSON.stringify(sessionId)}`)
      : text;
    yield `${line}\n`;
  }
}

/** `node:readline` also ends lines at U+2028 and U+2029, which stand in texts. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

export function unpacked(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  // An error of a piece reaches the reader of the last stream.
  pipeline(Readable.from(pieces), gunzip, () => undefined);
  return gunzip;
}
