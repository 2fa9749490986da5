import type { ContextEntry, Proposal } from "grove-session";
import type { Block, DocumentVersion, WriteProvenance } from "grove-session/ports";
import { z } from "zod";
import type { FileWire } from "./files";
import { idSchema } from "./request-fields";
import type { Wire } from "./wire";

/** `soul` is for the person alone, external skills for nobody. */
export type BlockWritersWire = Block["writers"] | "nobody";

/** A text that the person alone writes is `readonly` to the model. */
export type BlockKindWire = Block["kind"] | "readonly";

export interface BlockWire extends Wire<Pick<Block, "id" | "label" | "scope" | "maxTokens">> {
  /** Text models get; people read `note`. */
  description: string | null;
  /** Written by the person; empty where Grove's description stands. */
  note: string;
  kind: BlockKindWire;
  writers: BlockWritersWire;
  isOwn: boolean;
  origin: string | null;
  /** The text; of a keyed block, its listing or summary. */
  content: string;
  version: number;
  tokens: number;
  entryCount: number | null;
  error: string | null;
}

export interface VersionWire extends Wire<Omit<DocumentVersion, "provenance">> {
  author: WriteProvenance["author"];
  program: string | null;
  sessionId: string | null;
  messageId: string | null;
  proposed: boolean;
}

export interface ProposalWire
  extends Wire<Omit<Proposal, "description" | "content" | "baseVersion">> {
  label: string;
  /**
   * Open: current, and as accepting would leave it. Accepted: before and after. Declined: the text its writer had seen.
   */
  before: string;
  after: string;
  /** Open: to send with a decision. */
  currentVersion: number;
  /** Open: changed since its writer saw it. */
  isChangedSince: boolean;
  mayAllowForChat?: boolean;
}

export interface EntryDocumentWire extends Wire<ContextEntry> {
  tokens: number;
  loaded: boolean;
  problem: string | null;
  /** Absent where the file's bytes are gone. */
  file?: FileWire;
}

export const maxBlockTokens = 20_000;

const blockLabel = z.string().trim().max(40, "must be at most 40 characters");
const blockDescription = z.string().trim().max(300, "must be at most 300 characters");
const blockWriters = z.enum(["person", "both"]);
const blockTokens = z
  .int("must be a whole number")
  .min(10, "must be at least 10 tokens")
  .max(maxBlockTokens, `must be at most ${maxBlockTokens.toLocaleString("en")} tokens`);

export const createBlockRequest = z.object({
  label: blockLabel,
  description: blockDescription.default(""),
  kind: z.enum(["writable", "searchable"]).default("writable"),
  scope: z.enum(["owner", "session"]).default("owner"),
  writers: blockWriters.default("both"),
  maxTokens: blockTokens.default(1_000),
});
export type CreateBlockRequest = z.input<typeof createBlockRequest>;

/** Unless `isOwn`, only the description (`""` restores Grove's) and, where it has one, `maxTokens`. */
export const changeBlockRequest = z.object({
  label: blockLabel.optional(),
  description: blockDescription.optional(),
  writers: blockWriters.optional(),
  maxTokens: blockTokens.optional(),
});
export type ChangeBlockRequest = z.input<typeof changeBlockRequest>;

export const writeBlockRequest = z.object({
  content: z.string().max(20_000, "must be at most 20,000 characters"),
  expectedVersion: z.int().min(0).optional(),
});

export const addEntryRequest = z.object({
  title: z.string().trim().min(1, "must not be empty").max(200),
  /** `""` clears the description; absent, it stays. */
  description: z.string().trim().max(1_024).optional(),
  content: z.string().min(1, "must not be empty").max(200_000),
});

/** `expectedVersion: null`: there is no such entry, or it was deleted. */
export const writeEntryRequest = addEntryRequest.extend({
  expectedVersion: z.int().min(0).nullable().optional(),
});

export const acceptProposalRequest = z.object({
  content: z.string().max(200_000).optional(),
  expectedVersion: z.int().min(0).optional(),
});

export const proposeRequest = z.object({
  content: z.string().trim().min(1, "must not be empty").max(200_000),
  from: z.string().trim().min(1, "must not be empty").max(100),
});

export const skillEventRequest = z.object({
  label: idSchema,
  key: idSchema,
  action: z.enum(["load", "unload"]),
});
