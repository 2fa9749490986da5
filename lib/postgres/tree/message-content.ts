import {
  assertStorable,
  type Compaction,
  compactionMessage,
  previewOf,
  type SessionMessage,
  type StoredMessage,
  searchableText,
  skillEvents,
  toStoredBody,
  toTsvector,
} from "@/lib/session";
import { compactionFromRow } from "./compaction-row";
import type { Summarized, WindowRow } from "./window";

/** A message as its row holds it. */
export interface MessageColumns {
  /** Verbatim JSON; escapes keep what a text column would refuse or change, U+0000 and lone surrogates. */
  readonly content: string;
  readonly preview: string;
  /** A `tsvector` literal. */
  readonly tsv: string;
  /** Label, key and action of each skill event in turn. */
  readonly skills: string[];
}

interface Content {
  readonly parts: StoredMessage["parts"];
  readonly metadata?: unknown;
}

/** @throws {InvalidArgumentError} for a message that cannot be stored. */
export function messageColumns(message: SessionMessage): MessageColumns {
  assertStorable(message);
  const body = toStoredBody(message, new Date());
  const metadata = body.metadata === null ? "" : `,"metadata":${body.metadata}`;
  return {
    content: `{"parts":${body.parts}${metadata}}`,
    preview: storableText(previewOf(message)),
    tsv: toTsvector(searchableText(message)),
    skills: skillEvents(message).flatMap(({ label, key, action }) =>
      [label, key, action].map(storableText),
    ),
  };
}

/** Text that a `text` column takes as it is: U+0000 shown as its symbol, half characters as U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\u2400");
}

/** Whether a stored content has the same parts as a message. */
export function sameParts(content: string, message: SessionMessage): boolean {
  return JSON.stringify((JSON.parse(content) as Content).parts) === JSON.stringify(message.parts);
}

/** A message from its row. */
export function messageFromRow(row: {
  id: string;
  role: string;
  created_at: Date;
  content: string;
}): StoredMessage {
  const { parts, metadata } = JSON.parse(row.content) as Content;
  return {
    id: row.id,
    role: row.role as StoredMessage["role"],
    parts,
    createdAt: row.created_at,
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The message a line of a path shows: a stored one, or the one that stands for a summary. */
export function messageFromLine(row: WindowRow): StoredMessage {
  const compaction = compactionFromLine(row);
  return compaction ? compactionMessage(compaction) : messageFromRow(row);
}

/** The compaction behind a summary line, and how many messages it stands for; `null` for a message. */
export function compactionFromLine(
  row: WindowRow,
): (Compaction & { readonly messageCount: number }) | null {
  if (row.summarized === null) return null;
  const { from, to, count, metadata } = JSON.parse(row.summarized) as Summarized;
  const compaction = compactionFromRow({
    id: row.id.slice("compaction_".length),
    summary: row.content,
    from_message_id: from,
    to_message_id: to,
    created_at: row.created_at,
    metadata,
  });
  return { ...compaction, messageCount: count };
}
