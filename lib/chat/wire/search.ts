import type { AttachedFile } from "./files";

/** Text with matches as `[start, end)` offsets. */
export interface SnippetWire {
  text: string;
  marks: [number, number][];
}

export interface SearchHitWire {
  id: string;
  sessionId: string;
  sessionTitle: string;
  role: "system" | "user" | "assistant";
  createdAt: string;
  snippet: SnippetWire;
  place: "active" | "branch" | "under-summary" | "summary";
  score: number;
  /** An answer in the person's words. */
  isEdited?: true;
}

export interface FileHitWire extends AttachedFile {
  /** The best one, from 1. */
  page: number;
  /** The newest message with the file. */
  messageId: string;
  sessionId: string;
  sessionTitle: string;
  snippet: SnippetWire;
}

/** `GET /api/search?q=&session=&limit=` */
export interface SearchWire {
  hits: SearchHitWire[];
  /** Sessions with a matching title. */
  sessions: { id: string; title: string; updatedAt: string }[];
  /** Matching memory blocks, knowledge and skills. */
  documents: {
    label: string;
    key: string | null;
    /** `null` for every session. */
    sessionId: string | null;
    title: SnippetWire;
    snippet: SnippetWire;
  }[];
  /** Attached files whose text matches. */
  files: FileHitWire[];
  corrected: string | null;
  /** The query has nothing to find; `problems` says what it needs. */
  isBlank: boolean;
  /** Sentences saying why results may be missing. */
  problems: string[];
}
