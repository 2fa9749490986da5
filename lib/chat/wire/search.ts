import type { SearchHit } from "grove-session";
import type { Snippet } from "grove-session/ports";
import type { AttachedFile } from "./files";
import type { Wire } from "./wire";

export type SnippetWire = Wire<Snippet>;

type HitFields = "id" | "sessionId" | "role" | "createdAt" | "snippet" | "place" | "part" | "score";

export interface SearchHitWire extends Wire<Pick<SearchHit, HitFields>> {
  sessionTitle: string;
  isEdited?: true;
}

export interface FileHitWire extends AttachedFile {
  page: number;
  messageId: string;
  sessionId: string;
  sessionTitle: string;
  snippet: SnippetWire;
}

export interface SearchWire {
  hits: SearchHitWire[];
  sessions: { id: string; title: string; updatedAt: string }[];
  documents: {
    label: string;
    key: string | null;
    sessionId: string | null;
    title: SnippetWire;
    snippet: SnippetWire;
  }[];
  files: FileHitWire[];
  corrected: string | null;
  isBlank: boolean;
  problems: string[];
}

export interface PlaceFoundWire extends Pick<SearchWire, "hits" | "sessions"> {
  /** `null`: their own. */
  space: string | null;
  /** `null` for the person's own. */
  name: string | null;
}

export interface ElsewhereWire {
  places: PlaceFoundWire[];
  problems: string[];
}
