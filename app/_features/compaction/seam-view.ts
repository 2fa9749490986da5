export type SeamView = "closed" | "read" | "edit" | "redo";
