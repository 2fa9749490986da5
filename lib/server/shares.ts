import "server-only";
import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip } from "node:zlib";
import type { z } from "zod";
import { isTemporarySpace } from "@/lib/chat/core/person-in-space";
import {
  type changeShareRequest,
  type makeShareRequest,
  type SharesWire,
  type ShareWire,
  shareContents,
} from "@/lib/chat/wire/shares";
import { toWire } from "@/lib/chat/wire/wire";
import {
  mostShares,
  type PackedShare,
  type ShareChange,
  type StoredShare,
} from "@/lib/storage/shares/postgres-shares";
import { HttpError } from "./http-error";
import { signInLimits } from "./rate-limits";
import { originOf, type RouteContext } from "./route";
import type { Services } from "./services";

export type ShareContext = Pick<
  RouteContext<unknown>,
  "services" | "owner" | "identity" | "request"
>;

export interface DrawnShare {
  readonly title: string;
  readonly leafId: string | null;
  readonly packed: PackedShare;
}

export interface Drawing {
  readonly sessionId: string;
  readonly shareId: string;
  readonly snapshot: z.output<typeof makeShareRequest>["snapshot"];
  readonly canReport: boolean;
}

type Draw = (drawing: Drawing) => Promise<DrawnShare>;

export async function listShares(context: ShareContext): Promise<SharesWire> {
  const { services, owner } = context;
  const shares = await services.sharesOf(owner.spaceId).list();
  return {
    shares: await Promise.all(shares.map((share) => shareWire(context, share))),
    hasAccounts: services.accounts !== null,
  };
}

export async function makeShare(
  context: ShareContext,
  sessionId: string,
  { snapshot, ...terms }: z.output<typeof makeShareRequest>,
  { shareId, draw }: { shareId: string; draw: Draw },
): Promise<ShareWire> {
  const { services, owner, identity } = context;
  if (isTemporarySpace(owner.spaceId))
    throw new HttpError(409, "chat-temporary", "Keep this temporary chat before you share it.");
  const shares = context.services.sharesOf(context.owner.spaceId);
  const known = await shares.get(shareId);
  if (known) return shareWire(context, known);
  if ((await shares.list()).length >= mostShares)
    throw new HttpError(
      409,
      "too-many-shares",
      `There are ${mostShares} links already. Stop some in Settings, Data.`,
    );
  const given = await storedTerms(context, terms);
  const { packed, ...drawn } = await draw({
    ...{ sessionId, shareId, snapshot },
    canReport: services.accounts !== null,
  });
  await assertSpace(context, packed);
  const token = randomBytes(tokenBytes).toString("base64url");
  const { spaceId } = owner;
  await shares.add(
    {
      shareId,
      sessionId,
      ...drawn,
      ...given,
      audience: terms.audience,
      shows: snapshot.shows,
      tokenHash: tokenHash(token),
      token: await services.secrets.seal(token, sealContext(spaceId, shareId)),
      madeBy: identity.personId,
    },
    packed,
  );
  return found(context, shareId);
}

export async function changeShare(
  context: ShareContext,
  shareId: string,
  { snapshot, ...terms }: z.output<typeof changeShareRequest>,
  draw: Draw,
): Promise<ShareWire> {
  const shares = context.services.sharesOf(context.owner.spaceId);
  const share = await shares.get(shareId);
  if (!share) throw shareNotFound();
  if (share.takenDownAt) throw takenDown();
  if (snapshot && terms.expiresAt === undefined && isPast(share.expiresAt))
    throw new HttpError(
      409,
      "share-expired",
      "This link has ended. Choose a new end for it.",
      "expiresAt",
    );
  const change = await storedTerms(context, terms);
  let isChanged: boolean;
  if (!snapshot) isChanged = await shares.change(shareId, change);
  else {
    const { packed, ...drawn } = await draw({
      ...{ sessionId: share.sessionId, shareId, snapshot },
      canReport: context.services.accounts !== null,
    });
    await assertSpace(context, packed);
    const renewed = { ...change, ...drawn, shows: snapshot.shows };
    isChanged = await shares.change(shareId, renewed, packed);
  }
  // Stopped or taken down while the page was drawn.
  if (!isChanged && (await shares.get(shareId))) throw takenDown();
  return found(context, shareId);
}

export async function stopSharing(context: ShareContext, shareId: string): Promise<{ ok: true }> {
  if (!(await context.services.sharesOf(context.owner.spaceId).remove(shareId)))
    throw shareNotFound();
  return { ok: true };
}

/** Pages count towards the limit of files. */
async function assertSpace(context: ShareContext, { page, copy }: PackedShare): Promise<void> {
  const { used, allowed } = await context.owner.files.storage();
  if (allowed === null) return;
  const shares = await context.services.sharesOf(context.owner.spaceId).list();
  const kept = shares.reduce((sum, { pageBytes, copyBytes }) => sum + pageBytes + copyBytes, 0);
  if (used + kept + page.length + copy.length <= allowed) return;
  throw new HttpError(
    413,
    "storage-full",
    "This page does not fit in the space that you may use. Stop links that you need no longer, or leave the files out.",
  );
}

const tokenBytes = 18;

export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

export function sealContext(spaceId: string, shareId: string): string {
  return `share ${spaceId} ${shareId}`;
}

async function found(context: ShareContext, shareId: string): Promise<ShareWire> {
  const share = await context.services.sharesOf(context.owner.spaceId).get(shareId);
  // Stopped by another tab at this moment.
  if (!share) throw shareNotFound();
  return shareWire(context, share);
}

type GivenTerms = Omit<z.output<typeof changeShareRequest>, "snapshot">;

async function storedTerms(
  { services: { accounts, counts }, identity: { personId } }: ShareContext,
  { audience, people, expiresAt, password }: GivenTerms,
): Promise<ShareChange> {
  if (audience !== undefined && audience !== "anyone" && !accounts)
    throw new HttpError(
      400,
      "no-accounts",
      "This Grove has no accounts, so a link is for anyone who has it.",
      "audience",
    );
  if (expiresAt && Date.parse(expiresAt) <= Date.now())
    throw new HttpError(400, "invalid-body", "Choose an end in the future.", "expiresAt");
  return {
    ...(audience !== undefined && { audience }),
    ...(people !== undefined && {
      people: await namedPeople(accounts, people, () =>
        counts.take(`people named by ${personId}`, signInLimits.accountAnywhere),
      ),
    }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(password !== undefined && {
      password: password === null ? null : await hashPassword(password),
    }),
  };
}

async function namedPeople(
  accounts: Services["accounts"],
  emails: readonly string[],
  count: () => void,
): Promise<StoredShare["people"]> {
  const people: StoredShare["people"] = [];
  for (const email of new Set(emails)) {
    // Answers tell who has an account.
    count();
    const person = await accounts?.store.personAt(email);
    if (!person)
      throw new HttpError(
        400,
        "person-not-found",
        `Nobody here has the address ${email}.`,
        "people",
      );
    people.push({ personId: person.ownerId, email });
  }
  return people;
}

function isPast(moment: Date | null): boolean {
  return moment !== null && moment.getTime() <= Date.now();
}

function takenDown(): HttpError {
  return new HttpError(
    403,
    "share-taken-down",
    "An administrator of this Grove took this link down. It cannot be used again.",
  );
}

function shareNotFound(): HttpError {
  return new HttpError(404, "share-not-found", "This link was stopped already.");
}

async function shareWire(
  { services, owner, request }: ShareContext,
  share: StoredShare,
): Promise<ShareWire> {
  const { shareId, people, password, takenDownAt } = share;
  const token = await services.secrets.open(share.token, sealContext(owner.spaceId, shareId));
  const { sessionId, title, leafId, shows, audience, isChatGone } = share;
  const { expiresAt, createdAt, updatedAt, views, lastViewedAt } = share;
  return toWire({
    id: shareId,
    ...{ sessionId, title, leafId, audience, isChatGone },
    shows: shareContents.parse(shows),
    ...{ expiresAt, createdAt, updatedAt, views, lastViewedAt },
    link: token === null ? null : `${originOf(request)}/shared/${token}`,
    people: people.map(({ email }) => email),
    hasPassword: password !== null,
    isTakenDown: takenDownAt !== null,
  });
}

const mostBytes = 50_000_000;

/** @throws {HttpError} `share-too-large`. */
export async function packed(lines: AsyncIterable<string>): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const gzip = createGzip();
  // An error of a line reaches the reader of the last stream.
  pipeline(Readable.from(lines), gzip, () => undefined);
  for await (const piece of gzip) {
    bytes += piece.length;
    if (bytes > mostBytes)
      throw new HttpError(
        413,
        "share-too-large",
        "The page is larger than 50 MB. Leave the files or the other branches out.",
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const scryptOf = promisify<string, Buffer, number, Buffer>(scrypt);
const hashBytes = 32;

async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await scryptOf(password.normalize(), salt, hashBytes);
  return `${salt.toString("base64url")}.${hash.toString("base64url")}`;
}

export async function isPasswordOf(stored: string, password: string): Promise<boolean> {
  const [salt = "", hash = ""] = stored.split(".");
  const given = await scryptOf(password.normalize(), Buffer.from(salt, "base64url"), hashBytes);
  return timingSafeEqual(given, Buffer.from(hash, "base64url"));
}
