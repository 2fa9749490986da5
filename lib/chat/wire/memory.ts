import { z } from "zod";
import { idSchema } from "./request-fields";

/** Editors of a block: `soul` is for the person alone, external skills for nobody. */
export type BlockWriters = "person" | "both" | "nobody";

export type BlockKind = "readonly" | "writable" | "searchable" | "loadable";

export interface BlockWire {
  /** Stable across renames. */
  id: string;
  label: string;
  description: string | null;
  kind: BlockKind;
  scope: "owner" | "session";
  writers: BlockWriters;
  isOwn: boolean;
  origin: string | null;
  /** Text of a text block; listing or summary of a keyed one. */
  content: string;
  version: number;
  tokens: number;
  maxTokens: number | null;
  entryCount: number | null;
  /** Why the block is unusable at present. */
  error: string | null;
}

export interface VersionWire {
  version: number;
  content: string | null;
  author: "person" | "model" | "system" | "program";
  /** Name of the program that wrote or proposed it. */
  program: string | null;
  sessionId: string | null;
  messageId: string | null;
  proposed: boolean;
  createdAt: string;
}

/** `GET /api/proposals/:id` */
export interface ProposalWire {
  id: string;
  /** `null` for a program's. */
  sessionId: string | null;
  messageId: string | null;
  /** Name of the program that made it; `null` for the model's. */
  program: string | null;
  blockId: string;
  label: string;
  key: string | null;
  title: string | null;
  action: "replace" | "append";
  status: "open" | "accepted" | "declined";
  /**
   * Open: current, and as accepting would leave it. Accepted: before and after. Declined: the text its writer had seen.
   */
  before: string;
  after: string;
  /** Open: to send with a decision. */
  currentVersion: number;
  /** Open: the text has changed since its writer saw it. */
  isChangedSince: boolean;
  version: number | null;
  /** Of one that is read alone: the person can allow all writes of its chat at once. */
  mayAllowForChat?: boolean;
  createdAt: string;
  decidedAt: string | null;
}

export interface EntryDocumentWire {
  key: string;
  title: string;
  description: string | null;
  content: string;
  version: number;
  tokens: number;
  updatedAt: string;
  loaded: boolean;
  problem: string | null;
}

export const maxBlockTokens = 20_000;

const blockLabel = z.string().trim().max(40, "must be at most 40 characters");
const blockDescription = z.string().trim().max(300, "must be at most 300 characters");
const blockWriters = z.enum(["person", "both"]);
const blockTokens = z
  .int("must be a whole number")
  .min(10, "must be at least 10 tokens")
  .max(maxBlockTokens, `must be at most ${maxBlockTokens.toLocaleString("en")} tokens`);

/**
 * `POST /api/blocks?session=` → 201 `BlockWire`, 409 `block-exists`. A label has small letters and digits, with single
 * `-` or `_` between them.
 */
export const createBlockRequest = z.object({
  label: blockLabel,
  description: blockDescription.default(""),
  kind: z.enum(["writable", "searchable"]).default("writable"),
  scope: z.enum(["owner", "session"]).default("owner"),
  writers: blockWriters.default("both"),
  maxTokens: blockTokens.default(1_000),
});
export type CreateBlockRequest = z.input<typeof createBlockRequest>;

/**
 * `PATCH /api/blocks/:blockId?session=` → `BlockWire`. Unless `isOwn`, only the description (`""` restores Grove's)
 * and, where it has one, `maxTokens`.
 */
export const changeBlockRequest = z.object({
  label: blockLabel.optional(),
  description: blockDescription.optional(),
  writers: blockWriters.optional(),
  maxTokens: blockTokens.optional(),
});
export type ChangeBlockRequest = z.input<typeof changeBlockRequest>;

/** `PUT /api/blocks/:blockId?session=` → `BlockWire`, or 409 `block-conflict` when another version is newest. */
export const writeBlockRequest = z.object({
  content: z.string().max(20_000, "must be at most 20,000 characters"),
  expectedVersion: z.int().min(0).optional(),
});

/** `POST /api/blocks/:blockId/entries?session=`, or 409 `entry-exists` where the title, and so the key, is taken. */
export const addEntryRequest = z.object({
  title: z.string().trim().min(1, "must not be empty").max(200),
  /** `""` clears it; without one it stays. */
  description: z.string().trim().max(1_024).optional(),
  content: z.string().min(1, "must not be empty").max(200_000),
});

/**
 * `PUT /api/blocks/:blockId/entries/:key?session=`, or 409 `block-conflict` when another version is newest. With
 * `expectedVersion: null` there is no such entry, or it was deleted.
 */
export const writeEntryRequest = addEntryRequest.extend({
  expectedVersion: z.int().min(0).nullable().optional(),
});

/**
 * `POST /api/proposals/:id/accept` → `ProposalWire`, or 409 `block-conflict` when `expectedVersion` (default: the one
 * its writer had seen) is not the newest.
 */
export const acceptProposalRequest = z.object({
  content: z.string().max(200_000).optional(),
  expectedVersion: z.int().min(0).optional(),
});

/** `POST /api/proposals` → `ProposalWire`: a line for the facts of every chat, named after its origin. */
export const proposeRequest = z.object({
  content: z.string().trim().min(1, "must not be empty").max(200_000),
  from: z.string().trim().min(1, "must not be empty").max(100),
});

/** `POST /api/sessions/:id/skills` → `ContextWire` */
export const skillEventRequest = z.object({
  label: idSchema,
  key: idSchema,
  action: z.enum(["load", "unload"]),
});
