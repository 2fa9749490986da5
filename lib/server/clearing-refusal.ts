interface ClearingRefusal {
  readonly status: 409 | 410 | 503;
  readonly code: string;
  readonly message: string;
}

const ofData: ClearingRefusal = {
  // Browsers keep unsent messages for a retry.
  status: 503,
  code: "data-deleting",
  message:
    "Everything is being deleted at the moment, so nothing else is stored. Try again in a minute.",
};

const ofAccount: ClearingRefusal = {
  status: 410,
  code: "account-ending",
  message: "This account is being deleted, so nothing was stored.",
};

const ofReference: ClearingRefusal = {
  status: 409,
  code: "deleted-meanwhile",
  message: "What this belongs to was deleted meanwhile, so nothing was stored.",
};

export function clearingRefusal(error: unknown): ClearingRefusal | null {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { code, detail } = each as Error & { code?: unknown; detail?: unknown };
    if (code === "GR013") return detail === "account" ? ofAccount : ofData;
    if (code === "23503") return ofReference;
  }
  return null;
}
