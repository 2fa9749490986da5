import type { OwnerTool } from "./tool-source";

/** The tool's description when the person allowed it; without versions, `version` is empty. */
export interface Consent {
  readonly tool: string;
  readonly version: string;
}

/** Tools allowed for a whole chat. Only the person's decision about a call writes it. */
export interface ConsentStore {
  list(sessionId: string): Promise<readonly Consent[]>;
  allow(sessionId: string, consent: Consent): Promise<void>;
}

export function isAllowedBy(
  consents: readonly Consent[],
  { name, version = "" }: Pick<OwnerTool, "name" | "version">,
): boolean {
  return consents.some((consent) => consent.tool === name && consent.version === version);
}
