import { z } from "zod";

/** `GET`: current counts. `DELETE`: deleted counts. */
export interface DataCountsWire {
  sessions: number;
  messages: number;
  documents: number;
  providers: number;
  calls: number;
}

/** `DELETE /api/data` → `DataCountsWire`. */
export const deleteDataRequest = z.object({
  confirm: z.literal("delete everything", { error: "must be “delete everything”" }),
});
export type DeleteDataRequest = z.input<typeof deleteDataRequest>;

/** `POST /api/import`: an export of type `application/x-ndjson`. */
export interface ImportReportWire {
  sessions: {
    imported: number;
    /** Already complete. */
    already: number;
    /** Deleted here, now restored. */
    restored: number;
    /** Skipped; `problems` says why. */
    failed: number;
  };
  /** `left` ones were edited here and are kept. */
  documents: { imported: number; already: number; left: number };
  /** The first 5,000 chats: their ids in the file and here. */
  outcomes: {
    id: string;
    sessionId: string;
    outcome: "imported" | "already" | "restored" | "failed";
    message?: string;
  }[];
  /** The first 100, in file order. */
  problems: { line: number; field?: string; message: string }[];
  problemCount: number;
}
