import { z } from "zod";
import { idSchema } from "./request-fields";

export const shareContents = z.object({
  branches: z.boolean(),
  reasoning: z.boolean(),
  tools: z.boolean(),
  files: z.boolean(),
  /** Previews of the link may name the chat. */
  title: z.boolean(),
});
export type ShareContents = z.output<typeof shareContents>;

export const shareAudience = z.enum(["anyone", "house", "people"]);
export type ShareAudience = z.output<typeof shareAudience>;

const password = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(200, "must be at most 200 characters");

const terms = {
  audience: shareAudience,
  /** Addresses of accounts, for the audience `people`. */
  people: z.array(z.string().trim().toLowerCase().max(200)).max(100, "must be at most 100"),
  expiresAt: z.iso.datetime({ offset: true }).nullable(),
  password: password.nullable(),
};

const snapshot = z.object({
  /** The path to this message; with `branches` the one that shows first. */
  leafId: idSchema.nullable(),
  shows: shareContents,
  /** SHA-256 of the page as its person saw it: another one is not shared. */
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/, "must be a SHA-256")
    .optional(),
});

export const makeShareRequest = z.object({
  audience: terms.audience.default("anyone"),
  people: terms.people.default([]),
  expiresAt: terms.expiresAt.default(null),
  password: terms.password.default(null),
  snapshot,
});

/** A field left out stays; a `snapshot` renews the shared chat. */
export const changeShareRequest = z.object({ ...terms, snapshot }).partial();

export const copyShareRequest = z.object({
  token: z.string().max(100),
  password: z.string().max(200).optional(),
  id: z.uuid(),
});

export interface CopiedShareWire {
  sessionId: string;
  leftOut: string[];
}

export interface ShareWire {
  id: string;
  sessionId: string;
  title: string;
  /** `null` when this installation has lost the key that opens it: the link itself leads on. */
  link: string | null;
  leafId: string | null;
  shows: ShareContents;
  audience: ShareAudience;
  people: string[];
  hasPassword: boolean;
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  views: number;
  lastViewedAt: string | null;
  isTakenDown: boolean;
  /** The chat was deleted or moved; the page was not. */
  isChatGone: boolean;
}

export interface SharesWire {
  shares: ShareWire[];
  /** Otherwise links work on this machine alone, for anyone. */
  hasAccounts: boolean;
}

/** Administrators see nothing of the content. */
export interface HouseSharesWire {
  shares: (Pick<
    ShareWire,
    "id" | "audience" | "hasPassword" | "createdAt" | "views" | "isTakenDown" | "link"
  > & { who: string; reports: number })[];
}
