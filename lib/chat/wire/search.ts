/** Text with the words that were searched for, as `[start, end)` offsets. */
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
}

/** `GET /api/search?q=&session=&limit=` */
export interface SearchWire {
  hits: SearchHitWire[];
  /** Sessions whose title matches. */
  sessions: { id: string; title: string; updatedAt: string }[];
  /** Memory blocks, knowledge and skills that match. */
  documents: {
    label: string;
    key: string | null;
    /** The session it belongs to; `null` when it holds everywhere. */
    sessionId: string | null;
    title: SnippetWire;
    snippet: SnippetWire;
  }[];
  corrected: string | null;
  /** The line names nothing to find; `problems` says what it needs. */
  isBlank: boolean;
  /** Why what was meant may not be found, a sentence for each reason. */
  problems: string[];
}
