import { z } from "zod";
import type { Compaction, SessionMessage, StoredMessage } from "../../session";
import {
  assertStorable,
  contentOf,
  previewOf,
  type SearchableSection,
  searchableSections,
  skillEvents,
  storableText,
  toStoredBody,
  toTsvector,
  toTsvectorInSlices,
} from "../../session/internal";
import { storableJson } from "../storable";

export interface MessageColumns {
  /** Verbatim; escapes preserve U+0000 and lone surrogates, which a text column refuses. */
  readonly content: string;
  readonly preview: string;
  /** A `tsvector` literal; a promise for a long text, so that appends keep their order. */
  readonly tsv: string | Promise<string>;
  readonly skills: string | null;
}

interface Content {
  readonly parts: StoredMessage["parts"];
  readonly metadata?: unknown;
}

/** Columns of a row of `chat_message`, with its words to search. */
export function messageColumns(message: SessionMessage): MessageColumns {
  assertStorable(message);
  const body = toStoredBody(message, new Date());
  const skills = skillEvents(message);
  return {
    content: contentOf(body),
    preview: storableText(previewOf(message)),
    tsv: vectorOf(searchableSections(message)),
    skills: skills.length === 0 ? null : storableJson(skills),
  };
}

/** Words of such a text take up to 10 ms. */
const shortLength = 5_000;

function vectorOf(sections: readonly SearchableSection[]): string | Promise<string> {
  const length = sections.reduce((sum, { text }) => sum + text.length, 0);
  return length > shortLength ? toTsvectorInSlices(sections) : toTsvector(sections);
}

export function messageFromRow(row: {
  id: string;
  role: string;
  created_at: Date;
  content: string;
}): StoredMessage {
  const { parts, metadata, ...extra } = parseContent(row.content);
  return {
    ...extra,
    id: row.id,
    role: row.role as StoredMessage["role"],
    parts,
    createdAt: row.created_at,
    ...(metadata !== undefined && { metadata }),
  };
}

/** A schema takes a third of the time of reading a history of 50,000 messages. */
function parseContent(text: string): Content {
  const content = JSON.parse(text) as Content;
  if (!Array.isArray(content.parts)) throw new TypeError("A stored message has no parts.");
  return content;
}

export interface CompactionRow {
  id: string;
  summary: string;
  from_message_id: string;
  to_message_id: string;
  created_at: Date;
  metadata: unknown;
}

// An import may bring invalid values.
const count = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const storedMetadata = z.looseObject({
  tokensBefore: count,
  tokensAfter: count,
  rangeTokens: count,
  model: text,
  cost: count,
  author: z.enum(["person", "model"]).optional().catch(undefined),
  focus: text,
});

export function compactionFromRow(row: CompactionRow): Compaction {
  const metadata = storedMetadata.parse(row.metadata);
  return {
    id: row.id,
    summary: row.summary,
    fromMessageId: row.from_message_id,
    toMessageId: row.to_message_id,
    createdAt: row.created_at,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
