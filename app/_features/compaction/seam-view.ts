/** What of a summary is open. */
export type SeamView = "closed" | "read" | "edit" | "redo";
