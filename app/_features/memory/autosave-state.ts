export interface SavedText {
  readonly content: string;
  readonly version: number;
}

/** `conflict` holds a concurrent version (`theirs`), `failed` a sentence. `text` always keeps what was typed. */
export interface AutosaveState {
  readonly text: string;
  readonly base: SavedText;
  readonly phase: "clean" | "dirty" | "saving" | "saved" | "conflict" | "failed";
  readonly sent: string | null;
  readonly theirs: SavedText | null;
  readonly error: string | null;
}

export type AutosaveEvent =
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "save-started" }
  | { readonly type: "saved"; readonly version: number }
  | { readonly type: "save-failed"; readonly error: string }
  | { readonly type: "conflicted"; readonly theirs: SavedText }
  | { readonly type: "changed-elsewhere"; readonly now: SavedText }
  | { readonly type: "keep-mine" }
  | { readonly type: "take-theirs" }
  | { readonly type: "discarded" };

export function autosaveStart(base: SavedText, draft: string | null = null): AutosaveState {
  const text = draft ?? base.content;
  const phase = text === base.content ? "clean" : "dirty";
  return { text, base, phase, sent: null, theirs: null, error: null };
}

export function autosaveReducer(state: AutosaveState, event: AutosaveEvent): AutosaveState {
  switch (event.type) {
    case "typed":
      return typed(state, event.text);
    case "save-started":
      return { ...state, phase: "saving", sent: state.text, error: null };
    case "saved":
      return saved(state, event.version);
    case "save-failed":
      return { ...state, phase: "failed", sent: null, error: event.error };
    case "conflicted":
      return conflicted(state, event.theirs);
    case "changed-elsewhere":
      return changedElsewhere(state, event.now);
    case "keep-mine":
      return state.theirs ? { ...state, base: state.theirs, theirs: null, phase: "dirty" } : state;
    case "take-theirs":
      return state.theirs ? autosaveStart(state.theirs) : state;
    case "discarded":
      return autosaveStart(state.base);
  }
}

function typed(state: AutosaveState, text: string): AutosaveState {
  if (state.phase === "saving" || state.phase === "conflict") return { ...state, text };
  const phase = text === state.base.content ? "clean" : "dirty";
  return { ...state, text, phase, error: null };
}

function saved(state: AutosaveState, version: number): AutosaveState {
  if (state.sent === null) return state;
  const phase = state.text === state.sent ? "saved" : "dirty";
  return { ...state, base: { content: state.sent, version }, sent: null, phase };
}

function conflicted(state: AutosaveState, theirs: SavedText): AutosaveState {
  if (theirs.content === state.text) return { ...autosaveStart(theirs), phase: "saved" };
  return { ...state, phase: "conflict", sent: null, theirs };
}

function changedElsewhere(state: AutosaveState, now: SavedText): AutosaveState {
  if (now.version <= state.base.version) return state;
  if (state.phase === "conflict") return { ...state, theirs: now };
  return state.phase === "clean" || state.phase === "saved" ? autosaveStart(now) : state;
}
