import type { FoundChat, FoundProblem } from "@/lib/history/found-chats";
import type { SessionMessagePart } from "@/lib/session";

export type Question =
  | { readonly type: "read"; readonly files: readonly File[] }
  | {
      readonly type: "convert";
      readonly files: readonly File[];
      readonly ids: readonly string[];
    }
  | { readonly type: "next" }
  /** `null` when the file could not be stored. */
  | { readonly type: "stored"; readonly part: SessionMessagePart | null };

export type Answer =
  | {
      readonly type: "found";
      readonly share: number;
      readonly chats: readonly FoundChat[];
      readonly problems: readonly FoundProblem[];
    }
  | { readonly type: "read"; readonly instructions: readonly string[] }
  /** To be stored before its chat. */
  | { readonly type: "file"; readonly name: string; readonly blob: Blob }
  /** An export of Grove with the chats of these ids. */
  | { readonly type: "batch"; readonly ids: readonly string[]; readonly file: Blob }
  | { readonly type: "converted" }
  | { readonly type: "failed"; readonly message: string };
