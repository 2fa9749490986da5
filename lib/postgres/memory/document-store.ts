import type { Sql } from "postgres";
import { storableText } from "@/lib/postgres/storable";
import {
  BlockConflictError,
  BlockNotFoundError,
  type ContextEntry,
  type DocumentVersion,
  ProposalDecidedError,
  ProposalNotFoundError,
  toTsvector,
  type WriteOptions,
} from "@/lib/session";
import {
  type DocumentKey,
  type DocumentRow,
  documentVersions,
  isWritable,
  readDocument,
  type VersionRow,
  writeDocument,
} from "./documents";
import { readProposal } from "./proposals";

export interface DocumentText {
  /** `null` deletes. */
  readonly content: string | null;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** Where a block lives: `sessionId` omitted means it holds in every session of the owner. */
export interface BlockLocation {
  readonly ownerId: string;
  readonly label: string;
  readonly sessionId?: string | undefined;
  /** The block a person has made: what is read and written follows it when it is renamed. */
  readonly blockId?: number | undefined;
}

/** Names the document of a block, or of one entry of it. */
export function documentKey(
  { ownerId, label, sessionId = "", blockId }: BlockLocation,
  key = "",
): DocumentKey {
  return { owner: ownerId, scope: sessionId, label, block: blockId ?? null, key };
}

/**
 * @throws {BlockNotFoundError} when its block is deleted. @throws {BlockConflictError} when `expectedVersion` is no longer the newest.
 * @throws {ProposalDecidedError} when the proposal it is made for is not open.
 */
export async function saveDocument(
  sql: Sql,
  key: DocumentKey,
  document: DocumentText,
  { provenance = { author: "system" }, expectedVersion }: WriteOptions = {},
): Promise<number> {
  const { content, title, description } = document;
  const text = content === null ? null : storableText(content);
  const written = await writeDocument(sql, {
    ...key,
    content: text,
    title: title === undefined ? null : storableText(title),
    description: description === undefined ? null : storableText(description),
    tsv: text === null ? null : toTsvector(await searchedText(sql, key, document)),
    author: provenance.author,
    sessionId: provenance.sessionId ?? null,
    messageId: provenance.messageId ?? null,
    proposalId: provenance.proposalId ?? null,
    expectedVersion: expectedVersion ?? null,
  });
  if (written) return written.version;
  if (!(await isWritable(sql, key))) throw new BlockNotFoundError(key.label);
  await assertOpen(sql, key.owner, provenance.proposalId);
  const current = await readDocument(sql, key);
  throw new BlockConflictError(key.label, expectedVersion ?? 0, current?.version ?? 0);
}

async function assertOpen(sql: Sql, owner: string, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const proposal = await readProposal(sql, { owner, id });
  if (!proposal) throw new ProposalNotFoundError(id);
  if (proposal.status !== "open") throw new ProposalDecidedError(id, proposal.status);
}

/** What a document is found by: what is written now, and the title and description that stay. */
async function searchedText(
  sql: Sql,
  key: DocumentKey,
  { content, title, description }: DocumentText,
): Promise<string> {
  const keeps = key.key !== "" && (title === undefined || description === undefined);
  const present = keeps ? await readDocument(sql, key) : undefined;
  const texts = [title ?? present?.title, description ?? present?.description, content];
  return texts.filter((part) => part).join("\n");
}

/** Newest first. */
export async function versionsOf(
  sql: Sql,
  key: DocumentKey,
  limit = 100,
): Promise<DocumentVersion[]> {
  const rows = await documentVersions(sql, { ...key, limit });
  return rows.map(versionFromRow);
}

function versionFromRow(row: VersionRow): DocumentVersion {
  return {
    version: row.version,
    content: row.content,
    provenance: {
      author: row.author,
      ...(row.session_id !== null && { sessionId: row.session_id }),
      ...(row.message_id !== null && { messageId: row.message_id }),
      ...(row.proposal_id !== null && { proposalId: row.proposal_id }),
    },
    createdAt: row.created_at,
  };
}

export function entryFromRow(row: DocumentRow): ContextEntry {
  return {
    key: row.key,
    title: row.title === "" ? row.key : row.title,
    description: row.description,
    content: row.content ?? "",
    version: row.version,
    updatedAt: row.updated_at,
  };
}
